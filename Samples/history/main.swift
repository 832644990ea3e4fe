import SampleSupport

Sample.main("history", History.run)

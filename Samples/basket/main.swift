import SampleSupport

Sample.main("basket", BasketProgram.run)

import SampleSupport

Sample.main("counter", CounterProgram.run)

import SampleSupport

Sample.main("cars", CarsProgram.run)

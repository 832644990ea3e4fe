import SampleTerminal

Program.main("cars", CarsProgram.run)

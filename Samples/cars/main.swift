import Terminal

Program.main("cars", CarsProgram.run)

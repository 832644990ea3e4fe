import SampleTerminal

Program.main("basket", BasketProgram.run)

import SampleTerminal

Program.main("history", History.run)

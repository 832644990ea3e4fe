import SampleTerminal

Program.main("counter", CounterProgram.run)

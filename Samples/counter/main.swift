import Terminal

Program.main("counter", CounterProgram.run)

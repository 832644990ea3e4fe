import Terminal

Program.main("history", History.run)

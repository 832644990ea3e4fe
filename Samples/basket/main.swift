import Terminal

Program.main("basket", BasketProgram.run)

import SampleTerminal

Program.main("ledger", LedgerProgram.run)

import SampleSupport

Sample.main("ledger", LedgerProgram.run)

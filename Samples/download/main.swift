import SampleTerminal

Program.main("download", Downloader.run)

import Terminal

Program.main("download", Downloader.run)

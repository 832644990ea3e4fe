import SampleSupport

Sample.main("download", Downloader.run)

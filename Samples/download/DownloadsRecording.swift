import MoonlightRecording
import SampleSupport

extension RecordedRun<Downloads, DownloadsEvent, DownloadsEffect> {
    /// A run that may be kept in a file.
    init(in path: String?) throws(UserFacingError) { try self.init(in: path, Recording(of: Downloads.reducer)) }

    /// The environment, with its answers in the recording.
    func environment(_ live: DownloadsEnvironment) -> DownloadsEnvironment {
        environment(live) { live, recording in
            DownloadsEnvironment(
                report: recording.function("report", live.report),
                item: ItemEnvironment(fetch: recording.publisher("fetch", live.item.fetch)))
        }
    }
}

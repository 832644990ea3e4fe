import MoonlightRecording
import SampleSupport

extension RecordedRun<HistoryState, HistoryEvent, HistoryEffect> {
    /// A run that may be kept in a file.
    init(in path: String?) throws(UserFacingError) { try self.init(in: path, Recording(of: History.reducer)) }

    /// The environment, with its answers in the recording.
    func environment(_ live: HistoryEnvironment) -> HistoryEnvironment {
        environment(live) { live, recording in
            HistoryEnvironment(
                number: recording.publisher("number", live.number), text: recording.publisher("text", live.text))
        }
    }
}

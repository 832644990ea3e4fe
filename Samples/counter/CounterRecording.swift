import MoonlightRecording
import SampleSupport

extension RecordedRun<Counter, CounterEvent, CounterEffect> {
    /// A run that may be kept in a file.
    init(in path: String?) throws(UserFacingError) { try self.init(in: path, Recording(of: Counter.reducer)) }

    /// The environment, with its answers in the recording.
    func environment(_ live: CounterEnvironment) -> CounterEnvironment {
        environment(live) { live, recording in
            CounterEnvironment(
                post: recording.publisher("post", live.post), load: recording.publisher("load", live.load),
                setServiceUp: recording.publisher("setServiceUp", live.setServiceUp))
        }
    }
}

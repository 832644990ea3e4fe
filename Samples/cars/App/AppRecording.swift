import MoonlightRecording
import SampleSupport

extension RecordedRun<App, AppEvent, AppEffect> {
    /// A run that may be kept in a file.
    init(in path: String?) throws(UserFacingError) { try self.init(in: path, Recording(of: App.reducer)) }

    /// The actions, with their answers in the recording.
    func actions(_ live: Actions) -> Actions {
        environment(live) { live, recording in
            Actions(
                getCars: recording.async("getCars", live.getCars), getOrders: recording.async("getOrders", live.getOrders),
                makeOrder: recording.async("makeOrder", live.makeOrder))
        }
    }
}

import MoonlightRecording
import SampleSupport

extension RecordedRun<Basket, BasketEvent, BasketEffect> {
    /// A run that may be kept in a file.
    init(in path: String?) throws(UserFacingError) { try self.init(in: path, Recording(of: Basket.reducer)) }

    /// The environment, with its answers in the recording.
    func environment(_ live: BasketEnvironment) -> BasketEnvironment {
        environment(live) { live, recording in
            BasketEnvironment(
                loadItems: recording.async("loadItems", live.loadItems),
                increaseAmount: recording.async("increaseAmount", live.increaseAmount),
                decreaseAmount: recording.async("decreaseAmount", live.decreaseAmount),
                updateCheckbox: recording.async("updateCheckbox", live.updateCheckbox),
                deleteItem: recording.async("deleteItem", live.deleteItem),
                postOrder: recording.async("postOrder", live.postOrder))
        }
    }
}

import Streams
import Synchronization

/// Something that may lead to an event of a loop, and is on its way through operators: what a reaction sends, a state that is shown
/// to feedback. Whatever keeps it there, a busy ``Streams/Mailbox`` say, keeps this with it (`DeliveryOrigin`), so that the loop
/// does not take itself to be quiet before it has arrived.
@usableFromInline
final class Transit: Sendable {
    @usableFromInline let context: LoopContext

    @usableFromInline
    init(_ context: LoopContext) {
        self.context = context
        context.transits.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        context.transits.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        context.lookForQuiet()
    }
}

import Streams
import Synchronization

/// Marks something on its way through operators that may lead to an event of a loop: what a reaction sends, or a state that
/// is shown to feedback.
///
/// Whatever delays that on its way, such as a busy ``Streams/Mailbox``, retains this with it (`DeliveryOrigin`), so that the
/// loop is not considered quiet before it has arrived.
@usableFromInline
class Transit: @unchecked Sendable {
    // Sound: immutable. Subclasses answer for what they add.
    @usableFromInline final let context: LoopContext

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

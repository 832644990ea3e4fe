import Streams

/// A place in a loop, which the end of a stream provides to the operators upstream as its `_subscriberContext`.
@usableFromInline
class LoopPlace: _SubscriberContext, @unchecked Sendable {
    // Sound: immutable, except for `locals`, which are set before the stream is subscribed to. Subclasses must justify their additions.
    @usableFromInline final let context: LoopContext
    private let ownPath: ScopePath
    /// The task-locals of the stream; nil if it has none.
    @exclusivity(unchecked) final var locals: StreamLocals?

    @usableFromInline
    init(_ context: LoopContext, at path: ScopePath = .root, locals: StreamLocals? = nil) {
        self.context = context
        ownPath = path
        self.locals = locals
    }

    /// The path of the child that the stream belongs to.
    @usableFromInline var path: ScopePath { ownPath }

    @usableFromInline var _wantsNoMore: Bool { context.isCancelled }

    @usableFromInline final var _hasTaskLocals: Bool { locals != nil }

    @usableFromInline final func _bind(_ work: () -> Void) { if let locals { locals.bind(work) } else { work() } }
}

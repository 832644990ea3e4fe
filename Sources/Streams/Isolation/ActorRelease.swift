/// The content of an object that belongs to an actor, to be released there.
///
/// The releasing thread and the job on the actor share only this object. If they shared the content itself, the one that drops
/// its reference last would release it, and that may be the thread.
final class ActorRelease<Content>: @unchecked Sendable {
    // Sound: the creator of this object retains no reference to the content, and only the job on the actor uses it afterwards.
    private var content: Content?

    init(_ content: Content?) { self.content = content }

    /// Releases the content on an actor, soon. Not inlined, so that the content has no other reference by then.
    @inline(never) func run(on actor: any Actor) {
        if content != nil { actor.enqueue { [self] in content = nil } }
    }
}

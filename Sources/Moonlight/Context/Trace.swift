/// What caused something in a loop: the record of its cause, and the settlements of the senders that wait for it.
///
/// Only kept where it is needed: a loop without options and without waiting senders passes no traces on.
@usableFromInline
struct Trace: Sendable {
    /// The number of the record that caused what carries this trace; nil if it came from outside, or if no journal is kept.
    @usableFromInline var cause: Int?
    // The small ones follow it, where they take no room: every loop has a trace.
    /// Whether it came from outside.
    @usableFromInline var isFromOutside = false
    /// Whether it is an event that an effect has led to.
    @usableFromInline var isFollowUp = false
    /// Until when the sender waits, if it has no settlement yet: one is made as soon as something outlives the event's own item.
    @usableFromInline var awaitedUntil: SendStage?
    /// The settlement of the awaited event that has led here, kept alive by everything that goes on because of that event.
    @usableFromInline var settlement: Settlement?
    /// The settlement of this very event, which fails if the event is refused; nil if nobody waits, and once it has been
    /// handled.
    @usableFromInline var asker: Settlement?
    /// What the sender has to say to the loop's gate about this very event; not passed on.
    @usableFromInline var errand: (any AnyObject & Sendable)?
    /// When it began to wait; zero if it was handled at once, or if time is not measured.
    @usableFromInline var sent = Nanoseconds.zero
    /// How long `transform` took for the event; none if it has not been called yet, or if time is not measured.
    @usableFromInline var transformTime = Nanoseconds.none
    /// The sender's values of the task-locals that the loop carries.
    @usableFromInline var context: CarriedContext?

    @inlinable
    init(cause: Int? = nil, settlement: Settlement? = nil, isFromOutside: Bool = false, context: CarriedContext? = nil) {
        self.cause = cause
        self.settlement = settlement
        self.isFromOutside = isFromOutside
        self.context = context
    }

    /// Makes a call with the carried task-locals bound.
    @inlinable
    func bind(_ call: () -> Void) {
        if let context { context.bind(call) } else { call() }
    }

    /// Adds a sender that waits for the event that carries this trace.
    @usableFromInline
    mutating func add(asker: Settlement) {
        Settlement.join(&settlement, asker)
        Settlement.join(&self.asker, asker)
    }

    /// Adds the trace of an event that has been folded into the one that carries this trace.
    @usableFromInline
    mutating func join(_ other: Trace) {
        Settlement.join(&settlement, other.settlement)
        Settlement.join(&asker, other.asker)
        isFromOutside = isFromOutside || other.isFromOutside
        // Of two senders, the values of the later one count.
        context = other.context
    }

    /// Fails the wait for this very event: it was refused.
    @usableFromInline
    func refuse(_ error: SendError) { asker?.fail(error) }
}

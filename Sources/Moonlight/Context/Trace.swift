/// What something in a loop comes from: the record that is its cause, and who waits until everything has settled.
///
/// Only kept where somebody asks: a loop without a journal and without anybody waiting passes none around.
@usableFromInline
struct Trace: Sendable {
    /// The number of the record that is the cause of what carries this; nil if it came from outside, or no journal is kept.
    @usableFromInline var cause: Int?
    /// Kept alive by everything that the event of who waits has caused and that goes on.
    @usableFromInline var settlement: Settlement?
    /// Who waits for this very event, and so is told if it is refused; nobody once it has been handled.
    @usableFromInline var asker: Settlement?
    /// Whether it came from outside.
    @usableFromInline var isFromOutside = false
    /// Until when the sender waits, if it has no settlement yet: one is made as soon as something outlives the event's own item.
    @usableFromInline var awaitedUntil: SendStage?
    /// When it was left to wait; zero if it was handled at once, or nobody asks.
    @usableFromInline var sent = Nanoseconds.zero
    /// How long `transform` took for the event; none if it has not been called yet, or nobody asks.
    @usableFromInline var transformTime = Nanoseconds.none
    /// What the sender's task-locals were, of those that the loop carries.
    @usableFromInline var context: CarriedContext?

    @inlinable
    init(cause: Int? = nil, settlement: Settlement? = nil, isFromOutside: Bool = false, context: CarriedContext? = nil) {
        self.cause = cause
        self.settlement = settlement
        self.isFromOutside = isFromOutside
        self.context = context
    }

    /// Makes a call in the context that goes with this.
    @inlinable
    func bind(_ call: () -> Void) {
        if let context { context.bind(call) } else { call() }
    }

    /// Somebody waits for the event that carries this.
    @usableFromInline
    mutating func add(asker: Settlement) {
        Settlement.join(&settlement, asker)
        Settlement.join(&self.asker, asker)
    }

    /// An event has become part of the one that carries this.
    @usableFromInline
    mutating func join(_ other: Trace) {
        Settlement.join(&settlement, other.settlement)
        Settlement.join(&asker, other.asker)
        isFromOutside = isFromOutside || other.isFromOutside
        // Of two senders the later one's.
        context = other.context
    }

    /// Tells who waits for this very event that it was refused.
    @usableFromInline
    func refuse(_ error: SendError) { asker?.fail(error) }
}

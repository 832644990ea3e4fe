/// What a record of the log tells of one turn of the loop.
enum LogEntry<Event, Effect> {
    /// An effect was applied.
    case effect(Effect)
    /// A stream of effects is to be subscribed to.
    case begun(OpenWork<Event>)
    /// A stream of effects has ended, or is not to be begun again.
    case ended(UInt64)
    /// An event was handled that an effect before had led to.
    case followUp
    /// A sender with a key was answered.
    case answered(KeyedAnswer)
}

/// A stream of effects that has been begun and has not ended.
struct OpenWork<Event> {
    /// A number of its own.
    let number: UInt64
    /// The number of the interrupted work that this one takes up again; 0 if it is the first attempt.
    let replaces: UInt64
    /// The key, which stays the same over all attempts.
    let key: String
    /// Which attempt it is, from 1.
    let attempt: UInt32
    /// The name of the job; empty if it is none.
    let job: String
    let event: Event
}

extension OpenWork: Sendable where Event: Sendable {}

/// The answer to a sender with a key.
struct KeyedAnswer: Sendable, Hashable {
    let key: String
    /// When it was given, in nanoseconds since 1970.
    let time: Int64
    /// Why `transform` rejected the event; nil if it did not.
    let rejection: String?
    /// What the sender has read, encoded.
    let reading: [UInt8]
}

extension LogEntry: Sendable where Event: Sendable, Effect: Sendable {}

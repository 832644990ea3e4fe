public import Logging
import Moonlight

/// The level at which each kind of record of a journal is logged.
///
/// ```swift
/// var levels = JournalLevels()
/// levels.event = .debug
/// ```
public struct JournalLevels: Sendable, Hashable {
    /// An event was handled.
    public var event = Logger.Level.trace
    /// An effect was applied.
    public var effect = Logger.Level.trace
    /// `transform` rejected an event.
    public var rejected = Logger.Level.info
    /// `apply` rejected an effect.
    public var effectRejected = Logger.Level.error
    /// A job started or ended.
    public var job = Logger.Level.debug
    /// A job was refused.
    public var jobRefused = Logger.Level.warning
    /// A rule fired or was blocked.
    public var rule = Logger.Level.debug
    /// A given of a rule threw an error.
    public var ruleFailed = Logger.Level.error
    /// Events were coalesced.
    public var coalesced = Logger.Level.debug
    /// Events were lost because the inbox was full.
    public var overflowed = Logger.Level.warning
    /// A long chain of events occurred without input from outside.
    public var runaway = Logger.Level.error
    /// The loop ended.
    public var ended = Logger.Level.info
    /// Records were dropped because the log was too slow.
    public var dropped = Logger.Level.warning

    /// Creates the default levels, at which a server that logs at `info` logs only exceptional records.
    public init() {}

    func level<State, Event, Effect>(of record: JournalRecord<State, Event, Effect>) -> Logger.Level {
        switch record.step {
        case .event: event
        case .rejected: rejected
        case .effectRejected: effectRejected
        case .effect: effect
        case .job(let job): if case .refused = job.step { jobRefused } else { self.job }
        case .rule(let rule): if case .failed = rule.step { ruleFailed } else { self.rule }
        case .coalesced: coalesced
        case .overflowed: overflowed
        case .runaway: runaway
        case .ended: ended
        }
    }
}

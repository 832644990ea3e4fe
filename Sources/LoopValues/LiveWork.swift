import PlainText

/// Work that is in flight in a loop: a stream of effects, a job, or a reaction.
///
/// ```swift
/// for work in store.inFlight { print(work, "for", work.since.duration(to: .now)) }
/// ```
public struct LiveWork: Sendable, Hashable, CustomStringConvertible {
    /// The kind of work.
    public enum Kind: Sendable, Hashable {
        /// A stream of effects that contains no job.
        case effects
        /// A job. It may be waiting for other jobs with its id.
        case job(JobID, isWaiting: Bool)
        /// A reaction, with the description of its query or key.
        case reaction(String)
    }

    /// The kind of work.
    public let kind: Kind
    /// The path of the child that the work belongs to.
    public let path: ScopePath
    /// The description of the event that started the work; nil for a reaction, which follows from the state.
    public let event: String?
    /// The number of the journal record of that event; nil if no journal is kept.
    public let cause: Int?
    /// The time at which the work was started or, if it is waiting, queued.
    public let since: ContinuousClock.Instant

    package init(kind: Kind, path: ScopePath, event: String?, cause: Int?, since: ContinuousClock.Instant) {
        self.kind = kind
        self.path = path
        self.event = event
        self.cause = cause
        self.since = since
    }

    /// The work, and the event that started it: `job upload of save(1)`.
    public var description: String {
        let name =
            switch kind {
            case .effects: "effects"
            case .job(let id, let isWaiting): "job \(id)\(isWaiting ? ", waiting," : "")"
            case .reaction(let key): "reaction to \(key)"
            }
        // The id of a job contains the path.
        let place = if case .job = kind { "" } else { path.isRoot ? "" : " in \(path)" }
        return (name + place + (event.map { " of \($0)" } ?? "")).escapingControls
    }
}

/// What is in flight in a loop: a stream of effects, a job in one, or a reaction.
///
/// ```swift
/// for work in store.inFlight { print(work, "for", work.since.duration(to: .now)) }
/// ```
public struct LiveWork: Sendable, Hashable, CustomStringConvertible {
    /// What kind of work can be in flight.
    public enum Kind: Sendable, Hashable {
        /// A stream of effects in which there is no job.
        case effects
        /// A job; it may wait for others of its id.
        case job(JobID, isWaiting: Bool)
        /// A reaction, by its query or key, described.
        case reaction(String)
    }

    /// What it is.
    public let kind: Kind
    /// The child whose it is.
    public let path: ScopePath
    /// The event that it was started for, described; nil for a reaction, which the state has asked for.
    public let event: String?
    /// The number of the journal's record of that event; nil if no journal is kept.
    public let cause: Int?
    /// When it was started or, if it waits, queued.
    public let since: ContinuousClock.Instant

    /// What it is, and what for: `job upload of save(1)`.
    public var description: String {
        let name =
            switch kind {
            case .effects: "effects"
            case .job(let id, let isWaiting): "job \(id)\(isWaiting ? ", waiting," : "")"
            case .reaction(let key): "reaction to \(key)"
            }
        // A job's id tells the child.
        let place = if case .job = kind { "" } else { path.isRoot ? "" : " in \(path)" }
        return name + place + (event.map { " of \($0)" } ?? "")
    }
}

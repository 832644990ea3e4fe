import Moonlight

extension Fleet {
    /// What the members are doing, and what the fleet has done so far.
    public var counters: FleetCounters { core.counters }

    /// Returns when the storage has been opened, which begins when the fleet is made.
    ///
    /// - Throws: Why it cannot be opened. Every sender receives the same error.
    public func opened() async throws(FleetError) { try await core.opening.opened() }

    /// Returns what is known of a member, which is not woken for it.
    public func report(on id: ID) -> FleetReport<State> {
        guard let text = try? text(id), let (entry, resident) = core.look(text) else {
            return FleetReport(phase: .asleep, users: 0, waiting: 0, state: nil, inFlight: [])
        }
        let phase: FleetReport<State>.Phase =
            switch entry.phase {
            case .free: .asleep
            case .lined: .waiting
            case .waking: .waking
            case .awake: .awake
            case .drowsy, .ending: .ending
            }
        return FleetReport(
            phase: phase, users: Int(entry.users), waiting: entry.waiting.count, state: resident?.store.state,
            inFlight: resident?.store.inFlight ?? [])
    }

    /// The members that are awake, in the order of the bytes of their ids' texts.
    public var awake: [ID] { core.awake.compactMap { ID($0.text) } }

    /// Returns the work of all members that has been in flight for longer than a time, the oldest first: what may be stuck.
    ///
    /// ```swift
    /// for stuck in fleet.inFlight(longerThan: .seconds(60)) { await alert("\(stuck)") }
    /// ```
    /// A member with work in flight does not fall asleep, so this is all there is, but for members whose log cannot be read, and for work
    /// that a killed process has left, until its members have been woken, as they are when the fleet is opened. Such work counts from when it was
    /// begun anew.
    ///
    /// The time it takes grows with the number of members that are awake, each of which is looked at; senders wait while the list of
    /// these is made. Meant for a look each few seconds.
    ///
    /// - Parameters:
    ///   - duration: The time for which the work has been in flight, at least.
    ///   - now: The time up to which it is counted.
    public func inFlight(longerThan duration: Duration = .zero, at now: ContinuousClock.Instant = .now) -> [FleetWork] {
        core.inFlight.filter { $0.work.since.duration(to: now) >= duration }.sorted { $0.work.since < $1.work.since }
    }

    /// The number of members, awake or asleep, that have a log; if the fleet is not durable, of those that are awake.
    ///
    /// - Throws: Why they cannot be counted.
    public func count() async throws -> Int {
        guard let storage else { return core.counters.awake }
        try await core.opening.opened()
        return try await storage.count()
    }

    /// Returns some of the ids of all members, awake or asleep, that have a log; if the fleet is not durable, of those that are awake.
    ///
    /// ```swift
    /// var page = try await rooms.ids()
    /// while let next = page.next { page = try await rooms.ids(after: next) }
    /// ```
    /// - Parameters:
    ///   - cursor: The ``FleetPage/next`` of the page before; nil for the first.
    ///   - limit: The most ids to return.
    /// - Returns: The ids. Over all pages, each member that was there when the first was read is returned at least once.
    /// - Throws: Why they cannot be read.
    public func ids(after cursor: String? = nil, limit: Int = 1000) async throws -> FleetPage<ID> {
        precondition(limit > 0, "a page has at least one id")
        guard let storage else {
            let cursor = cursor.map { ExactText($0) }
            let ids = core.awake.filter { cursor == nil || $0 > cursor! }
            let page = ids.prefix(limit)
            return FleetPage(ids: page.compactMap { ID($0.text) }, next: page.count < ids.count ? page.last?.text : nil)
        }
        try await core.opening.opened()
        let page = try await core.reading { try await storage.ids(after: cursor, limit: limit) }
        return FleetPage(ids: page.ids.compactMap { ID($0) }, next: page.next)
    }
}

/// Some of the ids of a fleet's members.
public struct FleetPage<ID: Sendable>: Sendable {
    /// The ids.
    public let ids: [ID]
    /// Where the next page begins; nil if this is the last one.
    public let next: String?
}

import Moonlight

extension Fleet {
    /// Counters of the members and of the fleet's actions so far.
    public var counters: FleetCounters { core.counters }

    /// Waits until the storage is open. Opening begins when the fleet is created.
    ///
    /// - Throws: The reason why it cannot be opened. Every sender receives the same error.
    public func opened() async throws(FleetError) { try await core.opening.opened() }

    /// Returns a report about a member, without waking it.
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

    /// The members that are awake, in the byte order of their ids.
    public var awake: [ID] { core.awake.compactMap { ID($0.text) } }

    /// Returns the work of all members that has been in flight for longer than a time, oldest first. It may be stuck.
    ///
    /// ```swift
    /// for stuck in fleet.inFlight(longerThan: .seconds(60)) { await alert("\(stuck)") }
    /// ```
    /// A member with work in flight does not fall asleep, so all work is included, except that of members whose log cannot be read. Work that
    /// a killed process has left is included once its members are woken, as they are when the fleet is opened, and its time counts from
    /// then.
    ///
    /// - Complexity: O(*n*) for *n* members awake; senders wait while these are listed. Call it every few seconds at most.
    ///
    ///
    /// - Parameters:
    ///   - duration: The minimum time in flight.
    ///   - now: The time up to which it is counted.
    public func inFlight(longerThan duration: Duration = .zero, at now: ContinuousClock.Instant = .now) -> [FleetWork] {
        core.inFlight.filter { $0.work.since.duration(to: now) >= duration }.sorted { $0.work.since < $1.work.since }
    }

    /// Returns the number of members with a log, awake or asleep. In a fleet that is not durable, counts those that are awake.
    ///
    /// - Throws: The reason why they cannot be counted.
    public func count() async throws -> Int {
        guard let storage else { return core.counters.awake }
        try await core.opening.opened()
        return try await core.reading { try await storage.count() }
    }

    /// Returns a page of the ids of all members with a log, awake or asleep. In a fleet that is not durable, lists those that are awake.
    ///
    /// ```swift
    /// var page = try await rooms.ids()
    /// while let next = page.next { page = try await rooms.ids(after: next) }
    /// ```
    /// - Parameters:
    ///   - cursor: The ``FleetPage/next`` of the previous page; nil for the first.
    ///   - limit: The maximum number of ids to return.
    /// - Returns: The ids. Over all pages, each member that existed when the first page was read is returned at least once.
    /// - Throws: The reason why they cannot be read.
    public func ids(after cursor: String? = nil, limit: Int = 1000) async throws -> FleetPage<ID> {
        precondition(limit > 0, "limit must be at least 1, but is \(limit)")
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
    /// The cursor of the next page; nil if this is the last one.
    public let next: String?
}

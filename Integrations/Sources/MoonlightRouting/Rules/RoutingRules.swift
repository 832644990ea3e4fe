/// The knowledge of one process about the owners of partitions, and its reactions: a value that receives events and returns
/// actions. It has no clock, no thread and no connection.
///
/// A partition that is this process's is *served* while its lease can be trusted. Its fleet is *ending* when the lease could not be renewed
/// in time, when the fleet is broken, or when the process is drained; until it has ended, the partition is not taken again, so that
/// nothing of a former term is alive in the next. Everything else is *elsewhere*.
package struct RoutingRules: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case elsewhere
        /// The table was asked at this time whether it can be had.
        case taking(since: Int64)
        case serving
        /// - Parameter keeps: Whether the lease is renewed until the fleet has ended, and given back then.
        case ending(keeps: Bool)
    }

    package struct Partition: Hashable, Sendable {
        package var phase = Phase.elsewhere
        /// The other process that holds it, according to the last answer.
        package var holder: String?
        /// The number of times that this process has held it.
        package var term = 0
        package var revision: UInt64 = 0
        /// Until when the lease can be relied on.
        package var trustedUntil: Int64 = 0
        /// The time at which the lease was written, according to the answers.
        package var writtenAt: Int64 = 0
        /// The time at which the current renewal was requested; nil if there is none.
        package var renewingSince: Int64?
        /// The senders that wait for an answer of the table.
        package var tickets: [Int] = []
    }

    /// The answer to a sender.
    package enum Answer: Hashable, Sendable {
        case here(term: Int)
        case there(String)
        /// Nobody knows at present: to be asked again.
        case nowhere
        /// This process is being drained.
        case refused
    }

    package enum Action: Hashable, Sendable {
        case take(Int)
        case renew(Int, term: Int, revision: UInt64)
        case release(Int, revision: UInt64)
        /// Begins a fleet for a partition.
        case begin(Int, term: Int)
        /// Ends a fleet: at once, or when nothing is in flight.
        case end(Int, term: Int, atOnce: Bool)
        case answer(ticket: Int, Answer)
    }

    package let times: RoutingTimes
    /// The number of partitions that are taken unasked.
    package let unasked: Int
    package private(set) var partitions: [Partition]
    package private(set) var isDraining = false
    private var nextLook: Int64 = 0
    /// The partition that is looked at next in this round; none if it is over.
    private var lookPlace: Int

    package init(_ times: RoutingTimes, partitions: Int, unasked: Int) {
        self.times = times
        self.unasked = unasked
        lookPlace = partitions
        self.partitions = Array(repeating: Partition(), count: partitions)
    }

    /// Indicates whether nothing is owned any more, after a drain.
    package var isOver: Bool { isDraining && partitions.allSatisfy { $0.phase == .elsewhere } }

    // MARK: Senders

    /// A sender looks for the owner of a partition.
    ///
    /// - Returns: Who it is; nil if the ticket is answered later.
    package mutating func find(_ number: Int, ticket: Int, at now: Int64, _ actions: inout [Action]) -> Answer? {
        if isDraining { return .refused }
        switch partitions[number].phase {
        case .serving:
            if let term = serves(number, at: now) { return .here(term: term) }
            expire(number, &actions)
            return .nowhere
        case .ending: return .nowhere
        case .elsewhere:
            if let holder = partitions[number].holder { return .there(holder) }
            take(number, at: now, &actions)
        case .taking: break
        }
        partitions[number].tickets.append(ticket)
        return nil
    }

    /// The term in which this process may handle an event of a partition now; nil if it may not.
    package func serves(_ number: Int, at now: Int64) -> Int? {
        let partition = partitions[number]
        return partition.phase == .serving && now < partition.trustedUntil ? partition.term : nil
    }

    /// Records that the supposed owner of a partition has not answered as its owner.
    package mutating func missed(_ number: Int, holder: String) {
        if partitions[number].holder == holder { partitions[number].holder = nil }
    }

    // MARK: The table of leases

    private mutating func take(_ number: Int, at now: Int64, _ actions: inout [Action]) {
        partitions[number].phase = .taking(since: now)
        actions.append(.take(number))
    }

    /// The table has answered whether a partition can be had.
    ///
    /// - Parameter answer: The answer; nil if nobody knows.
    package mutating func took(_ number: Int, _ answer: LeaseAnswer?, at now: Int64, _ actions: inout [Action]) {
        guard case .taking(let since) = partitions[number].phase else { return }
        partitions[number].phase = .elsewhere
        partitions[number].holder = nil
        var said = isDraining ? Answer.refused : .nowhere
        switch answer {
        case .granted(let revision):
            if isDraining {
                actions.append(.release(number, revision: revision))
            } else if now < since + times.trust {
                begin(number, revision, since, &actions)
                said = .here(term: partitions[number].term)
            }
        // If it has taken too long to be relied on, it is taken again by whoever asks next.
        case .held(let holder):
            partitions[number].holder = holder
            if !isDraining { said = .there(holder) }
        case nil: break
        }
        for ticket in partitions[number].tickets { actions.append(.answer(ticket: ticket, said)) }
        partitions[number].tickets = []
        look(at: now, &actions)
    }

    private mutating func begin(_ number: Int, _ revision: UInt64, _ since: Int64, _ actions: inout [Action]) {
        partitions[number].phase = .serving
        partitions[number].term += 1
        partitions[number].revision = revision
        partitions[number].renewingSince = nil
        partitions[number].writtenAt = since
        partitions[number].trustedUntil = since + times.trust
        actions.append(.begin(number, term: partitions[number].term))
    }

    /// The table has answered whether a lease was renewed.
    ///
    /// - Parameter answer: The new revision, or nil if the lease is another's or gone; a failure if nobody knows.
    package mutating func renewed(
        _ number: Int, term: Int, _ answer: Result<UInt64?, RenewalFailure>, at now: Int64, _ actions: inout [Action]
    ) {
        guard partitions[number].term == term, let since = partitions[number].renewingSince, holdsLease(number) else { return }
        partitions[number].renewingSince = nil
        switch answer {
        case .success(let revision?):
            partitions[number].revision = revision
            partitions[number].writtenAt = since
            partitions[number].trustedUntil = since + times.trust
        case .success(nil): expire(number, &actions)
        case .failure: break
        }
    }

    package struct RenewalFailure: Error, Hashable {
        package init() {}
    }

    private func holdsLease(_ number: Int) -> Bool {
        switch partitions[number].phase {
        case .serving, .ending(keeps: true): true
        default: false
        }
    }

    /// The lease of a partition can be relied on no more.
    private mutating func expire(_ number: Int, _ actions: inout [Action]) {
        partitions[number].renewingSince = nil
        let wasServing = partitions[number].phase == .serving
        partitions[number].phase = .ending(keeps: false)
        if wasServing || isDraining { actions.append(.end(number, term: partitions[number].term, atOnce: true)) }
    }

    // MARK: Time

    /// Some time has passed: leases are renewed, or are over, and whoever stands by takes what nobody owns.
    package mutating func tick(at now: Int64, _ actions: inout [Action]) {
        for number in partitions.indices where holdsLease(number) {
            if now >= partitions[number].trustedUntil {
                expire(number, &actions)
            } else if partitions[number].renewingSince == nil, now >= partitions[number].writtenAt + times.renewal {
                partitions[number].renewingSince = now
                actions.append(.renew(number, term: partitions[number].term, revision: partitions[number].revision))
            }
        }
        guard unasked > 0, now >= nextLook, !isDraining else { return }
        nextLook = now + times.look
        lookPlace = 0
        look(at: now, &actions)
    }

    /// Tries to take as many as are wanted; those that somebody else has make room for the next ones.
    private mutating func look(at now: Int64, _ actions: inout [Action]) {
        var wanted = unasked - partitions.count { $0.phase != .elsewhere }
        while wanted > 0, lookPlace < partitions.count, !isDraining {
            if partitions[lookPlace].phase == .elsewhere {
                take(lookPlace, at: now, &actions)
                wanted -= 1
            }
            lookPlace += 1
        }
    }

    // MARK: Fleets

    /// The fleet of a partition cannot be used: it could not be opened.
    package mutating func broke(_ number: Int, term: Int, _ actions: inout [Action]) {
        guard partitions[number].phase == .serving, partitions[number].term == term else { return }
        partitions[number].phase = .ending(keeps: true)
        actions.append(.end(number, term: term, atOnce: true))
    }

    /// The fleet of a partition has ended: nothing of it is alive any more.
    package mutating func ended(_ number: Int, term: Int, _ actions: inout [Action]) {
        guard partitions[number].term == term, case .ending(let keeps) = partitions[number].phase else { return }
        if keeps { actions.append(.release(number, revision: partitions[number].revision)) }
        // Nothing of the term is left but its number.
        partitions[number] = Partition()
        partitions[number].term = term
    }

    /// Everything is handed over: nothing more is taken, and what is served ends when nothing is in flight, and is given back.
    package mutating func drain(_ actions: inout [Action]) {
        guard !isDraining else { return }
        isDraining = true
        for number in partitions.indices where partitions[number].phase == .serving {
            partitions[number].phase = .ending(keeps: true)
            actions.append(.end(number, term: partitions[number].term, atOnce: false))
        }
    }
}

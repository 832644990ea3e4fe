/// The state machine of one router: a value that receives events and returns actions, without a clock, a thread or a connection.
///
/// An owned partition is *served* while its lease can be trusted. It is *ending* if the lease could not be renewed in time, if
/// its fleet is broken, or if the process is drained; it is not taken again before its fleet has ended, so that terms never
/// overlap. Any other partition is *elsewhere*.
package struct RoutingRules: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case elsewhere
        /// The lease was requested at this time.
        case taking(since: Int64)
        case serving
        /// - Parameter keeps: True if the lease is renewed until the fleet has ended, and then released.
        case ending(keeps: Bool)
    }

    package struct Partition: Hashable, Sendable {
        package var phase = Phase.elsewhere
        /// The other process that holds the partition, according to the last answer.
        package var holder: String?
        /// The number of times that this process has held the partition.
        package var term = 0
        package var revision: UInt64 = 0
        /// The time until which the lease can be trusted.
        package var trustedUntil: Int64 = 0
        /// The time at which the lease was written, according to the answers.
        package var writtenAt: Int64 = 0
        /// The time at which the current renewal was requested; nil if there is none.
        package var renewingSince: Int64?
        /// The senders that wait for an answer of the lease table.
        package var tickets: [Int] = []
    }

    /// The answer to a sender.
    package enum Answer: Hashable, Sendable {
        case here(term: Int)
        case there(String)
        /// The owner is unknown at present: the sender should ask again.
        case nowhere
        /// This process is being drained.
        case refused
    }

    package enum Action: Hashable, Sendable {
        case take(Int)
        case renew(Int, term: Int, revision: UInt64)
        case release(Int, revision: UInt64)
        /// Starts a fleet for a partition.
        case begin(Int, term: Int)
        /// Ends a fleet: immediately, or when no work is in flight.
        case end(Int, term: Int, atOnce: Bool)
        case answer(ticket: Int, Answer)
    }

    package let times: RoutingTimes
    /// The number of partitions that are taken without a request.
    package let unasked: Int
    package private(set) var partitions: [Partition]
    package private(set) var isDraining = false
    private var nextLook: Int64 = 0
    /// The partition to examine next in this round; the count of partitions at its end.
    private var lookPlace: Int

    package init(_ times: RoutingTimes, partitions: Int, unasked: Int) {
        self.times = times
        self.unasked = unasked
        lookPlace = partitions
        self.partitions = Array(repeating: Partition(), count: partitions)
    }

    /// True if no partition is owned any more, after a drain.
    package var isOver: Bool { isDraining && partitions.allSatisfy { $0.phase == .elsewhere } }

    // MARK: Senders

    /// Looks up the owner of a partition for a sender.
    ///
    /// - Returns: The owner; nil if the ticket is answered later.
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

    /// Returns the term in which this process may handle an event of a partition now; nil if it may not.
    package func serves(_ number: Int, at now: Int64) -> Int? {
        let partition = partitions[number]
        return partition.phase == .serving && now < partition.trustedUntil ? partition.term : nil
    }

    /// Records that the presumed owner of a partition did not answer as its owner.
    package mutating func missed(_ number: Int, holder: String) {
        if partitions[number].holder == holder { partitions[number].holder = nil }
    }

    // MARK: The table of leases

    private mutating func take(_ number: Int, at now: Int64, _ actions: inout [Action]) {
        partitions[number].phase = .taking(since: now)
        actions.append(.take(number))
    }

    /// Handles the answer to a request for a lease.
    ///
    /// - Parameter answer: The answer; nil if the result is unknown.
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
        // If the answer took too long for the lease to be trusted, the next sender requests it again.
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

    /// Handles the answer to a renewal.
    ///
    /// - Parameter answer: The new revision, or nil if the lease has another holder or has expired; a failure if the result is
    ///   unknown.
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

    /// Ends a partition whose lease can no longer be trusted.
    private mutating func expire(_ number: Int, _ actions: inout [Action]) {
        partitions[number].renewingSince = nil
        let wasServing = partitions[number].phase == .serving
        partitions[number].phase = .ending(keeps: false)
        if wasServing || isDraining { actions.append(.end(number, term: partitions[number].term, atOnce: true)) }
    }

    // MARK: Time

    /// Handles the passage of time: leases are renewed or expire, and a standby router takes partitions without an owner.
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

    /// Tries to take the partitions that this router takes without a request. A partition with another owner is replaced by the next.
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

    /// Handles a fleet that could not be opened.
    package mutating func broke(_ number: Int, term: Int, _ actions: inout [Action]) {
        guard partitions[number].phase == .serving, partitions[number].term == term else { return }
        partitions[number].phase = .ending(keeps: true)
        actions.append(.end(number, term: term, atOnce: true))
    }

    /// Handles the end of a fleet, after which none of its work is alive.
    package mutating func ended(_ number: Int, term: Int, _ actions: inout [Action]) {
        guard partitions[number].term == term, case .ending(let keeps) = partitions[number].phase else { return }
        if keeps { actions.append(.release(number, revision: partitions[number].revision)) }
        // Only the number of the term is kept.
        partitions[number] = Partition()
        partitions[number].term = term
    }

    /// Starts a drain: no more partitions are taken, and served ones end when no work is in flight, and are released.
    package mutating func drain(_ actions: inout [Action]) {
        guard !isDraining else { return }
        isDraining = true
        for number in partitions.indices where partitions[number].phase == .serving {
            partitions[number].phase = .ending(keeps: true)
            actions.append(.end(number, term: partitions[number].term, atOnce: false))
        }
    }
}

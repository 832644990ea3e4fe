import Moonlight
import Streams

// Senders, who wait for a member to be awake, use its store, and leave.
extension FleetCore {
    /// Asks for a member, and waits until it is awake.
    func enter(_ id: String) async -> Answer {
        let use = guarded.withLock { guarded -> (Resident, FleetPlace)? in
            guard let place = guarded.roster.enterIfAwake(id), let resident = guarded.residents[place.number] else { return nil }
            return (resident, place)
        }
        if let use { return .use(use.0, use.1) }
        let ticket = guarded.withLock { guarded in
            guarded.tickets += 1
            return guarded.tickets
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = change { guarded, actions -> Answer? in
                    switch guarded.roster.enter(id, ticket: ticket, &actions) {
                    case .use(let place): return guarded.residents[place.number].map { .use($0, place) }
                    case .refused(let refusal):
                        return .refused(Self.error(refusal, id, nil, resident: guarded.roster.resident))
                    case .wait:
                        guarded.waiters[ticket] = (id, waiter)
                        return nil
                    }
                }
                if let answer { return waiter.resume(returning: answer) }
                if Task.isCancelled { giveUp(id, ticket) }
            }
        } onCancel: {
            giveUp(id, ticket)
        }
        #if THREAD_SANITIZER
            // The sanitizer does not see that a continuation which is resumed while it begins to wait has passed its value on: once in
            // about 40,000 times, it reports the store that another thread has made.
            guarded.withLock { _ in }
        #endif
        return answer
    }

    private func giveUp(_ id: String, _ ticket: Int) {
        let waiter = guarded.withLock { guarded -> CheckedContinuation<Answer, Never>? in
            guard guarded.waiters[ticket] != nil, guarded.roster.giveUp(id, ticket: ticket) else { return nil }
            return guarded.waiters.removeValue(forKey: ticket)?.waiter
        }
        waiter?.resume(returning: .refused(.send(id: id, .cancelled(isTaken: false))))
    }

    /// Whether a member that was used is the one that is there now.
    func isCurrent(_ place: FleetPlace) -> Bool { guarded.withLock { $0.roster.isCurrent(place) } }

    func leave(_ place: FleetPlace, noting note: WritableKeyPath<FleetCounters, Int>? = nil) {
        let now = time.now()
        change { guarded, actions in
            if let note { guarded.counters[keyPath: note] += 1 }
            guarded.roster.leave(place, at: now, &actions)
        }
    }

    func note(_ note: WritableKeyPath<FleetCounters, Int>) { guarded.withLock { $0.counters[keyPath: note] += 1 } }

    /// Sends to a member, and sends again if its loop has ended before it took the event: it did so for a reason of its own, and is made
    /// anew.
    func send(
        to id: String, _ attempt: @Sendable (Store<State, Event>) async -> Result<Void, SendError>
    ) async throws(FleetError) {
        var attempts = 1
        while true {
            let (resident, place): (Resident, FleetPlace)
            switch await enter(id) {
            case .refused(let error):
                note(\.refusals)
                throw error
            case .use(let used, let its): (resident, place) = (used, its)
            }
            let result = await attempt(resident.store)
            guard case .failure(let error) = result else { return leave(place, noting: \.sends) }
            leave(place, noting: \.refusals)
            switch (error, resident.log) {
            case (.interrupted(.loopEnded), let log?):
                guard let failure = log.failure else { break }
                throw .send(id: id, .notDurable(failure, isTaken: true))
            case (.ended, let log?), (.draining, let log?):
                if let failure = log.failure { throw .send(id: id, .notDurable(failure, isTaken: false)) }
                attempts += 1
                if attempts <= 3 { continue }
            default: break
            }
            throw .send(id: id, error)
        }
    }

    static func error(
        _ refusal: FleetAction.Refusal, _ id: String, _ failure: FleetError?, resident: Int
    ) -> FleetError {
        switch refusal {
        case .draining: .send(id: id, .draining)
        case .full: .full(id: id, resident: resident)
        case .unreadable: failure ?? .send(id: id, .ended)
        }
    }
}

import Moonlight
import Streams

// Senders: they wait until a member is awake, use its store, and leave.
extension FleetCore {
    /// Asks for a member, and waits until it is awake.
    func enter(_ id: String) async -> Answer {
        // Two variables: unspecialized code would look up the type of a pair each time.
        var (used, usedPlace): (Resident?, FleetPlace?)
        guarded.withLock { guarded in
            usedPlace = guarded.residency.enterIfAwake(id)
            if let usedPlace { used = guarded.residents[usedPlace.number] }
        }
        if let used, let usedPlace { return .use(used, usedPlace) }
        let ticket = guarded.withLock { guarded in
            guarded.tickets += 1
            return guarded.tickets
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = change { guarded, actions -> Answer? in
                    switch guarded.residency.enter(id, ticket: ticket, &actions) {
                    case .use(let place): return guarded.residents[place.number].map { .use($0, place) }
                    case .refused(let refusal):
                        return .refused(Self.error(refusal, id, nil, resident: guarded.residency.resident))
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
        // The thread sanitizer does not see that a continuation resumed at the start of its wait has passed on its value. The
        // lock makes that visible.
        guarded.withLock { _ in }
        return answer
    }

    private func giveUp(_ id: String, _ ticket: Int) {
        let waiter = guarded.withLock { guarded -> CheckedContinuation<Answer, Never>? in
            guard guarded.waiters[ticket] != nil, guarded.residency.giveUp(id, ticket: ticket) else { return nil }
            return guarded.waiters.removeValue(forKey: ticket)?.waiter
        }
        waiter?.resume(returning: .refused(.send(id: id, .cancelled(isTaken: false))))
    }

    /// Returns whether a use is of the member's current loop.
    func isCurrent(_ place: FleetPlace) -> Bool { guarded.withLock { $0.residency.isCurrent(place) } }

    /// Ends the use of a member. As every sender calls it, it does less than `change`: it can neither admit nor refuse senders,
    /// nor resume tasks that wait for stillness.
    func leave(_ place: FleetPlace, noting note: (inout FleetCounters) -> Void = { _ in }) {
        let now = time.now()
        var actions: [FleetAction] = []
        let sweep = guarded.withLock { guarded -> Int64? in
            note(&guarded.counters)
            guarded.residency.leave(place, at: now, &actions)
            return Self.sweepTime(&guarded)
        }
        if let sweep { plan(sweep) }
        for action in actions { perform(action) }
    }

    func note(_ note: (inout FleetCounters) -> Void) { guarded.withLock { note(&$0.counters) } }

    /// Sends to a member, and gives up at a deadline. A cancelled attempt reports whether the event was taken.
    func send(
        to id: String, within limit: Duration?, on clock: some Clock<Duration>,
        _ attempt: @escaping @Sendable (Store<State, Event>) async -> Result<Void, SendError>
    ) async throws(FleetError) {
        guard let limit else { return try await send(to: id, attempt) }
        let result = await withTaskGroup(of: Result<Void, FleetError>?.self) { group in
            group.addTask {
                do throws(FleetError) { return .success(try await self.send(to: id, attempt)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.wait(until: clock.instant(after: limit), tolerance: nil)
                return nil
            }
            var result = await group.next() ?? nil
            let isOver = result == nil
            group.cancelAll()
            while result == nil, let next = await group.next() { result = next }
            guard isOver, !Task.isCancelled, case .failure(.send(let id, .cancelled(let isTaken))) = result else { return result }
            return .failure(.send(id: id, .timedOut(isTaken: isTaken)))
        }
        try result?.get()
    }

    /// Sends to a member, and retries if its loop ended before it took the event, since the member is woken again.
    func send(
        to id: String, _ attempt: @Sendable (Store<State, Event>) async -> Result<Void, SendError>
    ) async throws(FleetError) {
        var attempts = 1
        while true {
            let (resident, place): (Resident, FleetPlace)
            switch await enter(id) {
            case .refused(let error):
                note { $0.refusals += 1 }
                throw error
            case .use(let used, let its): (resident, place) = (used, its)
            }
            let result = await attempt(resident.store)
            guard case .failure(let error) = result else { return leave(place) { $0.sends += 1 } }
            leave(place) { $0.refusals += 1 }
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

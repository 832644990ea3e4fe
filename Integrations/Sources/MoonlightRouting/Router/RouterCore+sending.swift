import Moonlight
import MoonlightDurability
import Streams

// Sends events to owners, and handles them there.
extension RouterCore {
    /// Looks up the owner of a partition.
    private func find(_ number: Int) async -> RoutingRules.Answer {
        await withCheckedContinuation { waiter in
            let now = time.now()
            let answer = change { guarded, actions -> RoutingRules.Answer? in
                guarded.tickets += 1
                let answer = guarded.rules.find(number, ticket: guarded.tickets, at: now, &actions)
                if answer == nil { guarded.waiters[guarded.tickets] = waiter }
                return answer
            }
            if let answer { waiter.resume(returning: answer) }
        }
    }

    /// Sends a request to its owner, repeatedly until it is answered.
    func send(_ request: RoutedRequest, _ event: Event, until deadline: Int64) async throws(RoutingError) {
        var (isTaken, pause) = (false, Int64(2_000_000))
        var reason = "the member has no owner"
        while true {
            switch await attempt(request, event) {
            case .outcome(.accepted): return
            case .outcome(.rejected(let reason)): throw .rejected(reason)
            case .outcome(.overflow):
                // If this was the answer to every attempt, no attempt has queued the event.
                if !isTaken { throw .overflow }
                reason = "the queue of the member is full"
            case .outcome(.invalid(let reason)):
                if !isTaken { throw .invalid(reason) }
                throw .unanswered(reason, isTaken: true)
            case .outcome(.notOwner): break
            case .outcome(.broken(let text)): reason = text
            case .outcome(.failed(let text, let mayBeTaken)):
                reason = text
                if mayBeTaken { isTaken = true }
            case .unanswerable(let reason): throw .unanswered(reason, isTaken: true)
            case .unanswered:
                reason = "the owner does not answer"
                isTaken = true
            case .nowhere: break
            case .refused:
                if !isTaken { throw .draining }
                throw .unanswered("the router is being drained", isTaken: true)
            }
            if Task.isCancelled { throw .unanswered("the task was cancelled", isTaken: isTaken) }
            guard time.now() + pause < deadline else { throw .unanswered(reason, isTaken: isTaken) }
            await time.pause(pause)
            pause = min(200_000_000, pause * 2)
        }
    }

    private enum Attempt {
        case outcome(RoutedOutcome)
        case unanswerable(String)
        case unanswered, nowhere, refused
    }

    private func attempt(_ request: RoutedRequest, _ event: Event) async -> Attempt {
        switch await find(request.partition) {
        case .nowhere: return .nowhere
        case .refused: return .refused
        case .here(let term): return .outcome(await handle(request, event, term))
        case .there(let holder):
            let answer = await courier.ask(holder, request.bytes, within: answerTime)
            if case .invalid(let reason) = answer { return .outcome(.invalid(reason)) }
            if case .unanswerable(let reason) = answer { return .unanswerable(reason) }
            guard case .answered(let bytes) = answer, let outcome = RoutedOutcome(bytes) else {
                // A request of a cancelled task may have ended early, which says nothing about the owner.
                if !Task.isCancelled { missed(request.partition, holder) }
                return answer == .unreached ? .nowhere : .unanswered
            }
            if outcome == .notOwner { missed(request.partition, holder) }
            return .outcome(outcome)
        }
    }

    private func missed(_ number: Int, _ holder: String) {
        guarded.withLock { $0.rules.missed(number, holder: holder) }
    }

    /// Answers the request of another process.
    func answer(_ bytes: [UInt8]) async -> RoutedOutcome {
        guard let request = RoutedRequest(bytes), (0..<count).contains(request.partition),
            request.partition == partition(of: request.id, among: count)
        else { return .invalid("the request is invalid, or the processes disagree on the number of partitions") }
        let event: Event
        do { event = try events.decode(request.event) } catch { return .invalid("\(error)") }
        let now = time.now()
        guard let term = guarded.withLock({ $0.rules.serves(request.partition, at: now) }) else { return .notOwner }
        return await handle(request, event, term)
    }

    /// Passes an event to the fleet of a term.
    private func handle(_ request: RoutedRequest, _ event: Event, _ term: Int) async -> RoutedOutcome {
        guard let id = ID(request.id) else { return .invalid("\(request.id.prefix(80)) is not a valid id") }
        let entry = guarded.withLock { $0.fleets[request.partition] }
        // The fleet is being created.
        guard let entry, entry.term == term else { return .notOwner }
        do throws(FleetError) {
            try await entry.fleet.sendConfirmed(event, to: id, key: request.key)
            return .accepted
        } catch {
            if case .unopened = error {
                change { guarded, actions in guarded.rules.broke(request.partition, term: term, &actions) }
            }
            return RoutedOutcome(error)
        }
    }
}

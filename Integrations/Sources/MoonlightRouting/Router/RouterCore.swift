import Moonlight
import MoonlightDurability
import Streams
import Synchronization

/// The shell around ``RoutingRules``, which executes their decisions.
final class RouterCore<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Sendable {
    typealias Owned = Fleet<ID, State, Event>

    struct Guarded {
        var rules: RoutingRules
        /// The fleets of the partitions that are owned, each with its term.
        var fleets: [Int: (term: Int, fleet: Owned)] = [:]
        /// The terms that must end while their fleet is still being created.
        var early: [Int: (term: Int, atOnce: Bool)] = [:]
        var waiters: [Int: CheckedContinuation<RoutingRules.Answer, Never>] = [:]
        var tickets = 0
        var listening: (any Listening)?
        var isCut = false
        var limit = Duration.zero
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let count: Int
    let time: RoutingTime
    let guarded: Mutex<Guarded>
    let leases: any LeaseTable
    let courier: any Courier
    let answerTime: Duration
    let events: Codec<Event>
    /// The id that distinguishes this process and this router from all others.
    let node: String
    private let name: String
    private let fleet: @Sendable (Int) -> Owned
    private let tick: Int64

    init(
        _ name: String, partitions: Int, unasked: Int, leases: any LeaseTable, courier: any Courier, answerTime: Duration,
        time: RoutingTime, events: Codec<Event>, fleet: @escaping @Sendable (Int) -> Owned
    ) {
        self.name = name
        count = partitions
        self.leases = leases
        self.courier = courier
        self.answerTime = answerTime
        self.time = time
        self.events = events
        self.fleet = fleet
        node = String(UInt64.random(in: 1...UInt64.max), radix: 36)
        let times = RoutingTimes(keyLife: Int64(TimeStride(leases.duration).nanoseconds))
        tick = times.tick
        guarded = Mutex(Guarded(rules: RoutingRules(times, partitions: partitions, unasked: unasked)))
    }

    /// The key of a partition's lease.
    func key(_ partition: Int) -> String { "route-\(name)-\(partition)" }

    func newKey() -> String { "\(node)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))" }

    var owned: [Int] {
        let now = time.now()
        return guarded.withLock { guarded in (0..<count).filter { guarded.rules.serves($0, at: now) != nil } }
    }

    // MARK: Time

    /// Starts to listen, and to renew leases.
    func begin() {
        Task.detached { [weak self] in await self?.listen() }
        sweep()
    }

    /// Starts to listen to other routers, which may need several attempts.
    private func listen() async {
        while !guarded.withLock({ $0.isCut }) {
            do {
                let listening = try await courier.listen(as: node) { [weak self] bytes in
                    await self?.answer(bytes).bytes ?? RoutedOutcome.notOwner.bytes
                }
                let isCut = guarded.withLock { guarded in
                    if !guarded.isCut { guarded.listening = listening }
                    return guarded.isCut
                }
                if isCut { listening.end() }
                return
            } catch { await time.pause(tick * 4) }
        }
    }

    private func sweep() {
        let now = time.now()
        change { guarded, actions in guarded.rules.tick(at: now, &actions) }
        if guarded.withLock({ $0.isCut }) { return }
        time.after(tick) { [weak self] in self?.sweep() }
    }

    // MARK: Decisions of the rules

    @discardableResult
    func change<Result>(_ body: (inout Guarded, inout [RoutingRules.Action]) -> Result) -> Result {
        var actions: [RoutingRules.Action] = []
        let result = guarded.withLock { guarded in UncheckedBox(value: body(&guarded, &actions)) }
        for action in actions { perform(action) }
        let over = guarded.withLock { guarded -> [CheckedContinuation<Void, Never>] in
            guard guarded.rules.isOver else { return [] }
            defer { guarded.endWaiters = [] }
            return guarded.endWaiters
        }
        for waiter in over { waiter.resume() }
        return result.value
    }

    private func perform(_ action: RoutingRules.Action) {
        switch action {
        case .take(let number): Task.detached { await self.take(number) }
        case .renew(let number, let term, let revision): Task.detached { await self.renew(number, term, revision) }
        case .release(let number, let revision):
            Task.detached { await self.leases.release(self.key(number), for: self.node, revision: revision) }
        case .begin(let number, let term): begin(number, term)
        case .end(let number, let term, let atOnce): end(number, term, atOnce: atOnce)
        case .answer(let ticket, let answer):
            guarded.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: answer)
        }
    }

    private func take(_ number: Int) async {
        let answer = try? await leases.take(key(number), for: node)
        let now = time.now()
        change { guarded, actions in guarded.rules.took(number, answer, at: now, &actions) }
    }

    private func renew(_ number: Int, _ term: Int, _ revision: UInt64) async {
        let answer: Result<UInt64?, RoutingRules.RenewalFailure>
        do { answer = .success(try await leases.renew(key(number), for: node, revision: revision)) } catch {
            answer = .failure(.init())
        }
        let now = time.now()
        change { guarded, actions in guarded.rules.renewed(number, term: term, answer, at: now, &actions) }
    }

    private func begin(_ number: Int, _ term: Int) {
        let fleet = fleet(number)
        let early = guarded.withLock { guarded in
            guarded.fleets[number] = (term, fleet)
            return guarded.early.removeValue(forKey: number)
        }
        if let early { end(number, early.term, atOnce: early.atOnce) }
    }

    /// Ends the fleet of a term; a drain without a grace period cancels it. When the call returns, none of its work is alive.
    private func end(_ number: Int, _ term: Int, atOnce: Bool) {
        let (fleet, limit) = guarded.withLock { guarded -> (Owned?, Duration) in
            if let entry = guarded.fleets[number], entry.term == term { return (entry.fleet, guarded.limit) }
            guarded.early[number] = (term, atOnce)
            return (nil, .zero)
        }
        guard let fleet else { return }
        Task.detached {
            await fleet.drain(within: atOnce ? .zero : limit)
            self.guarded.withLock { if $0.fleets[number]?.term == term { $0.fleets[number] = nil } }
            self.change { guarded, actions in guarded.rules.ended(number, term: term, &actions) }
        }
    }

    // MARK: The end

    func drain(within limit: Duration) async {
        change { guarded, actions in
            guarded.limit = limit
            guarded.rules.drain(&actions)
        }
        await withCheckedContinuation { waiter in
            let isOver = guarded.withLock { guarded in
                if !guarded.rules.isOver { guarded.endWaiters.append(waiter) }
                return guarded.rules.isOver
            }
            if isOver { waiter.resume() }
        }
        cut()
    }

    /// Stops listening and renewing. The fleets end with the router.
    func cut() {
        let listening = guarded.withLock { guarded in
            guarded.isCut = true
            return guarded.listening.take()
        }
        listening?.end()
    }
}

/// Passes a value out of a lock, to one caller.
struct UncheckedBox<Value>: @unchecked Sendable {
    // Sound: the value goes to the caller that has created it.
    let value: Value
}

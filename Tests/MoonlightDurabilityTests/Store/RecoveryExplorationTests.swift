import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A model of two senders, a disk that syncs and crashes at any time, and recoveries, in every order.
///
/// Turns, entries, key window and recovery are the library's; loop, disk and clients are modelled. The simulated disk of the
/// other tests crashes inside a write; here, a crash keeps any number of whole records.
@Suite("Exploration of recoveries")
struct RecoveryExplorationTests {
    /// A turn of the loop since the store was opened.
    enum Turn: Hashable {
        case add, pay
        case paid(UInt64)
        case ended(UInt64)
    }

    enum Step: Hashable, Sendable {
        /// The client sends its amount, with a key, again after each crash until it is answered.
        case add
        /// The client sends a payment, once.
        case pay
        /// Everything written is synced, and the waiting output is published.
        case sync
        /// The bank answers a payment; the stream of the payment ends.
        case paid(UInt64)
        case ended(UInt64)
        /// A prefix of the unsynced records is kept.
        case crash(keeping: Int)
        case open
    }

    struct Work: Hashable {
        let number: UInt64
        let key: String
        let attempt: Int
    }

    struct Machine: Hashable {
        /// The records at the opening of the store, or after the crash.
        var base: [LogRecord] = []
        /// Nil while the store is down.
        var turns: [Turn]? = []
        /// The number of records synced since the opening.
        var synced = 0
        var crashes = 0

        // The knowledge of the clients and the bank, which survives a crash.
        var isAddAnswered = false
        var hasPaid = false
        var isPayAnswered = false
        var asked: Set<Work> = []
        /// The keys of payments whose end is durable.
        var finished: Set<String> = []
        var wrong: [String] = []

        // The state of the running store.
        /// The position up to which records must be synced before the clients are answered.
        var addWaits: UInt64?
        var payWaits: UInt64?
        var live: Set<UInt64> = []
        var paid: Set<UInt64> = []
    }

    /// A store that has played its turns.
    final class Played {
        var state = Till()
        let turns: StoreTurns<Till, Till.Event, Till.Effect>
        /// The streams that it will subscribe to, each with the position that must be synced before.
        var streams: [(number: UInt64, position: UInt64)] = []
        /// The payments that were handed back at the opening; the attempt is the next one.
        let handed: [Work]
        init(_ machine: Machine) throws {
            var recovered = Recovered<Till, Till.Event, Till.Effect>(state: Till(), book: LogBook(.latest(10)))
            try recovered.fold(machine.base, RecoveryExplorationTests.coding, Till.reducer)
            var handed: [Work] = []
            let (entries, leftOver) = try recovered.decide(Till.reducer) { work in
                handed.append(Work(number: 0, key: work.key, attempt: work.attempts + 1))
                return .send(work.event)
            }
            expect(entries.isEmpty)
            let coding = SnapshotCoding(
                states: Schema(Till.self), entries: RecoveryExplorationTests.coding, reducerVersion: 1, believedReducers: [])
            let settings = TurnSettings(
                coding, LogWriter(.afterSync) { _, _ in }, identity: 7, largest: 1 << 20, snapshotEvery: .max, keys: .latest(10),
                now: { 0 })
            turns = StoreTurns(
                settings, recovered, leftOver, NotedStorage(), keepsHistory: false, Durability(recovered.report))
            (state, self.handed) = (recovered.state, handed)
            turns.open { event, isFollowUp, request in
                expect(!isFollowUp)
                handle(event, request)
            }
        }

        func play(_ turn: Turn) {
            switch turn {
            case .add: handle(.add(1), KeyedRequest<Till>(key: "amount", read: nil))
            case .pay: handle(.pay("rent"), nil)
            case .paid: apply(.paid("rent"))
            case .ended(let number):
                turns.noteEnd(of: number)
                endTurn()
            }
        }

        /// One turn at a time, as in the loop.
        private func handle(_ event: Till.Event, _ request: (any AnyObject & Sendable)?) {
            guard case .admitted = turns.admit(event, isFollowUp: false, request: request) else { return endTurn() }
            if case .add(let amount) = event {
                state.total += amount
                note(.added(amount))
            } else if let number = try? turns.noteStream(of: event, job: nil) {
                streams.append((number, turns.position))
            }
            endTurn()
        }

        private func apply(_ effect: Till.Effect) {
            _ = try? Till.reducer.apply(effect, to: &state)
            note(effect)
            endTurn()
        }

        private func note(_ effect: Till.Effect) {
            #expect(throws: Never.self) { try turns.prepare(effect) }
            turns.noteApplied(followUps: 0)
        }

        private func endTurn() { withUnsafePointer(to: &state) { turns.endTurn($0) } }

        /// The written records.
        func records() -> [LogRecord] {
            turns.settings.writer.queue.line.withLock { $0.orders }.compactMap { order in
                if case .record(let record, _, _) = order { record } else { nil }
            }
        }

        func work(_ number: UInt64) -> Work? {
            var work: Work?
            turns.begin(number) { _ in
                work = DurableWork.current.map { Work(number: number, key: $0.key, attempt: $0.attempt) }
            }
            return work
        }
    }

    private static let coding = EntryCoding<Till.Event, Till.Effect>(
        effects: Schema(Till.Effect.self), events: Schema(Till.Event.self))

    private static func played(_ machine: Machine) throws -> Played {
        let played = try Played(machine)
        for turn in machine.turns ?? [] { played.play(turn) }
        return played
    }

    // MARK: What can happen

    private static func steps(_ machine: Machine) -> [Step] {
        guard machine.turns != nil else { return [.open] }
        guard let written = try? played(machine).records().count else { return [] }
        var steps: [Step] = []
        if !machine.isAddAnswered, machine.addWaits == nil { steps.append(.add) }
        if !machine.hasPaid { steps.append(.pay) }
        if machine.synced < written || machine.addWaits != nil { steps.append(.sync) }
        for number in machine.live.sorted() {
            steps.append(machine.paid.contains(number) ? .ended(number) : .paid(number))
        }
        if machine.crashes < 2 { for kept in 0...(written - machine.synced) { steps.append(.crash(keeping: kept)) } }
        return steps
    }

    private static func after(_ step: Step, _ machine: Machine) throws -> Machine {
        var next = machine
        switch step {
        case .add:
            next.turns?.append(.add)
            next.addWaits = try played(next).turns.position
        case .pay:
            next.hasPaid = true
            next.turns?.append(.pay)
            next.payWaits = try played(next).turns.position
        case .paid(let number):
            next.turns?.append(.paid(number))
            next.paid.insert(number)
        case .ended(let number):
            next.turns?.append(.ended(number))
            next.live.remove(number)
        case .sync: try sync(&next)
        case .crash(let kept):
            let written = try played(machine).records()
            next.base += written.prefix(machine.synced + kept)
            noteFinished(&next, written.prefix(machine.synced + kept))
            next.crashes += 1
            (next.turns, next.synced, next.live, next.paid) = (nil, 0, [], [])
            (next.addWaits, next.payWaits) = (nil, nil)
        case .open:
            next.turns = []
            try check(&next)
        }
        return next
    }

    private static func sync(_ machine: inout Machine) throws {
        let played = try played(machine)
        let written = played.records()
        machine.synced = written.count
        let position = UInt64(machine.base.count + written.count)
        if let waits = machine.addWaits, waits <= position { (machine.isAddAnswered, machine.addWaits) = (true, nil) }
        if let waits = machine.payWaits, waits <= position { (machine.isPayAnswered, machine.payWaits) = (true, nil) }
        noteFinished(&machine, written[...])
        let over = Set((machine.turns ?? []).compactMap { if case .ended(let number) = $0 { number } else { nil } })
        for stream in played.streams where stream.position <= position && !over.contains(stream.number) {
            machine.live.insert(stream.number)
            guard let work = played.work(stream.number), !machine.asked.contains(work) else { continue }
            let isOld = machine.asked.contains { $0.attempt >= work.attempt }
            if isOld { machine.wrong.append("an attempt has an old number") }
            machine.asked.insert(work)
        }
    }

    /// Records the payments whose end is on the disk.
    private static func noteFinished(_ machine: inout Machine, _ records: ArraySlice<LogRecord>) {
        for record in records {
            for case .ended(let number) in (try? coding.entries(of: record)) ?? [] {
                for work in machine.asked where work.number == number { machine.finished.insert(work.key) }
            }
        }
    }

    /// Compares the recovered state with the knowledge of clients and bank.
    private static func check(_ machine: inout Machine) throws {
        let played = try Played(machine)
        func expect(_ isRight: Bool, _ what: String) { if !isRight { machine.wrong.append(what) } }
        let keys = played.handed.map(\.key)
        expect(played.state.total <= 1, "the amount was added twice")
        expect(!machine.isAddAnswered || played.state.total == 1, "an amount that was acknowledged is lost")
        expect(Set(keys).count == keys.count, "a payment was handed back twice")
        expect(keys.count <= 1, "one payment has two keys")
        expect(machine.finished.isDisjoint(with: keys), "a payment that had ended was handed back")
        expect(
            !machine.isPayAnswered || !keys.isEmpty || !machine.finished.isEmpty, "a payment that was acknowledged is lost")
        for work in machine.asked where !machine.finished.contains(work.key) {
            expect(keys.contains(work.key), "a payment that was cut off was not handed back by its key")
        }
        for work in played.handed {
            expect(!machine.asked.contains { $0.attempt >= work.attempt }, "an attempt was counted twice")
        }
        expect(
            machine.finished.isEmpty || !played.state.receipts.isEmpty, "the receipt of a payment that had ended is lost")
    }

    private static let reducer = Reducer<Machine, Step, Machine, Void>(
        transform: { machine, step, _ in .just(try after(step, machine)) },
        apply: { (machine: inout Machine, next: Machine) in machine = next })

    private static func isDone(_ machine: Machine) -> Bool {
        machine.turns != nil && machine.isAddAnswered && machine.live.isEmpty && machine.payWaits == nil
    }

    @Test(
        "A recovered store has everything acknowledged, does nothing twice, and hands interrupted work back, in every order",
        .enabled(if: Budget.isExhaustive))
    func crashes() throws {
        let report = try Exploration(Self.reducer, given: Machine()) { _ in }
            .events { Self.steps($0) }
            .always("a recovery has everything acknowledged") { $0.wrong.isEmpty }
            .canAlways("everything is done in the end") { Self.isDone($0) }
            .run()
        expectEqual(report.extent, .exhaustive)
        expectEqual(report.states, 2283)
    }

    @Test(
        "A recovered store has everything acknowledged, does nothing twice, and hands interrupted work back, in a random order",
        .enabled(if: !Budget.isExhaustive), arguments: Budget.seeds(20, least: 20))
    func randomCrashes(seed: Int) throws {
        let run = try RandomRun<Machine, Step>(
            Machine(), seed: seed, steps: Self.steps, isRare: { if case .crash = $0 { true } else { false } },
            after: Self.after, isWrong: { !$0.wrong.isEmpty })
        expectEqual(run.machine.wrong, [], "\(run.steps)")
        expect(run.isOver && Self.isDone(run.machine), "\(run.steps)")
    }
}

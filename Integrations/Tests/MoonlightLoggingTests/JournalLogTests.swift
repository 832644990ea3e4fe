import InMemoryLogging
import Logging
import Moonlight
import MoonlightLogging
import Streams
import TestLoops
import Testing

@Suite("A journal as log records")
struct JournalLogTests {
    enum Request { @TaskLocal static var id: String? }

    typealias Writer = JournalWriter<Tally, Tally.Event, Tally.Effect>

    /// Sends events, and returns what was logged.
    private func logged(
        _ events: [Tally.Event], world: Tally.World = Tally.World(), at level: Logger.Level = .trace,
        levels: JournalLevels = JournalLevels(), showsValues: Bool = true
    ) -> [InMemoryLogHandler.Entry] {
        var handler = InMemoryLogHandler()
        handler.logLevel = level
        let logger = Logger(label: "tally") { [handler] _ in handler }
        let writer = Writer(logger: logger, levels: levels, showsValues: showsValues)
        let options = LoopOptions<Tally, Tally.Event, Tally.Effect>(
            name: "tally", journal: writer.take, taskLocals: [CarriedLocal(Request.$id, named: "request")])
        let store = Store(reducer: Tally.reducer, initialState: Tally(), environment: world, options: options)
        for event in events { store.send(event) }
        store.cancel()
        writer.flush()
        return handler.entries
    }

    @Test("An event and its effect are logged with number, cause, loop and values")
    func values() {
        let entries = Request.$id.withValue("7") { logged([.add(2)]) }
        #expect(entries.map(\.message) == ["event add", "effect added", "cancelled"])
        #expect(entries[0].metadata["record"] == "1")
        #expect(entries[0].metadata["cause"] == nil)
        #expect(entries[0].metadata["loop"] == "tally")
        #expect(entries[0].metadata["event"] == "add(2)")
        #expect(entries[0].metadata["time"] != nil)
        #expect(entries[0].metadata["waited"] == "0.0 ms")
        #expect(entries[0].metadata["context"] == ["request": "Optional(\"7\")"])
        #expect(entries[1].metadata["cause"] == "1")
        #expect(entries[1].metadata["effect"] == "added(2)")
        #expect(entries[1].metadata["changes"] == ["count 0 -> 2"])
        #expect(entries[1].metadata["context"] == nil)
        #expect(entries[1].metadata["transform"] != nil)
        #expect(entries[1].metadata["apply"] != nil)
    }

    @Test("A log without values has only the names of cases and the types of errors")
    func names() {
        let gate = PassthroughSubject<String, Never>()
        let world = Tally.World { gate.job("card 4711").eraseToAnyPublisher() }
        let entries = Request.$id.withValue("7") { logged([.add(2), .refuse, .load], world: world, showsValues: false) }
        #expect(entries.map(\.message).starts(with: ["event add", "effect added"]))
        #expect(entries.contains { $0.message == "job started" })
        #expect(entries.allSatisfy { $0.error == nil })
        #expect(entries.first { $0.message == "rejected refuse" }?.metadata["error"] == "Refusal")
        #expect(entries.allSatisfy { Set($0.metadata.keys).isDisjoint(with: ["event", "effect", "changes", "context", "job"]) })
    }

    @Test("A rejected event is logged as information, and a rejected effect as an error")
    func rejections() {
        let entries = logged([.refuse, .spoil], at: .info)
        #expect(entries.map(\.message) == ["rejected refuse", "rejected effect spoilt", "cancelled"])
        #expect(entries.map(\.level) == [.info, .error, .info])
        #expect(entries[0].error as? Tally.Refusal == Tally.Refusal())
        #expect(entries[1].error as? Tally.Refusal == Tally.Refusal())
        #expect(entries[2].error == nil)
    }

    @Test("Log levels can be chosen")
    func levels() {
        var levels = JournalLevels()
        (levels.event, levels.ended) = (.warning, .debug)
        let entries = logged([.add(1)], at: .info, levels: levels)
        #expect(entries.map(\.message) == ["event add"])
        #expect(entries.map(\.level) == [.warning])
    }

    @Test("Dropped records are logged as a warning")
    func dropped() {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let logger = Logger(label: "tally") { [handler] _ in handler }
        let writer = Writer(limit: 1, every: 0, on: VirtualTimeScheduler()) { $0.log(to: logger) }
        let options = LoopOptions<Tally, Tally.Event, Tally.Effect>(journal: writer.take)
        let store = Store(reducer: Tally.reducer, initialState: Tally(), environment: Tally.World(), options: options)
        store.send(.add(1))
        writer.flush()
        #expect(handler.entries.map(\.message) == ["event add", "records dropped"])
        #expect(handler.entries.last?.level == .warning)
        #expect(handler.entries.last?.metadata["count"] == "1")
    }

    @Test("Jobs, and lost or coalesced events, are logged with a name and a number")
    func others() {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let logger = Logger(label: "tally") { [handler] _ in handler }
        let gate = PassthroughSubject<String, Never>()
        let world = Tally.World { gate.job("load").eraseToAnyPublisher() }
        let options = LoopOptions<Tally, Tally.Event, Tally.Effect>(
            journal: { $0.log(to: logger) }, inbox: .reject(1))
        let store = Store(reducer: Tally.reducer, initialState: Tally(), environment: world, options: options)
        let watching = store.states.map(\.note).removeDuplicates().filter { !$0.isEmpty }.sink { _ in
            for amount in 1...3 { store.send(.add(amount)) }
        }
        store.send(.load)
        gate.send("a")
        watching.cancel()
        let entries = handler.entries
        #expect(entries.first { $0.message == "job started" }?.metadata["job"] == "load")
        let lost = entries.first { $0.message == "overflowed add" }
        #expect(lost?.metadata["count"] == "2")
        #expect(lost?.metadata["event"] == "add(3)")
        #expect(lost?.level == .warning)
    }
}

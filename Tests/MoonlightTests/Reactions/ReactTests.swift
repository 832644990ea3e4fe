import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Streams that a test starts by a change of state: what was started, and cancelled, in order.
final class Streams<Key: Hashable & Sendable>: Sendable {
    let log = Recorder<String>()
    private let gates = Lock<[Key: PassthroughSubject<String, Never>]>([:])

    func make(_ key: Key) -> AnyPublisher<String, Never> {
        let gate = PassthroughSubject<String, Never>()
        gates.withLock { $0[key] = gate }
        return gate.handleEvents(
            receiveSubscription: { _ in self.log.append("+\(key)") }, receiveCancel: { self.log.append("-\(key)") }
        ).eraseToAnyPublisher()
    }

    subscript(key: Key) -> PassthroughSubject<String, Never> {
        gates.withLock { $0[key] ?? PassthroughSubject() }
    }
}

@Suite("Reactions")
struct ReactTests {
    private let states = CurrentValueSubject<[String], Never>([])
    private let streams = Streams<String>()
    private let events = Recorder<String>()

    @Test("while the query is there and equal its stream runs; a changed or gone query cancels it")
    func query() {
        let reaction = states.react(to: \.first) { streams.make($0) }.sink { events.append($0) }
        #expect(streams.log.all == [])
        states.send(["a"])
        streams["a"].send("a1")
        states.send(["a", "b"])
        streams["a"].send("a2")
        states.send(["b"])
        #expect(streams.log.all == ["+a", "-a", "+b"])
        streams["a"].send("too late")
        states.send([])
        #expect(streams.log.all == ["+a", "-a", "+b", "-b"])
        states.send(["b"])
        streams["b"].send("b1")
        #expect(events.all == ["a1", "a2", "b1"])
        reaction.cancel()
        #expect(streams.log.all == ["+a", "-a", "+b", "-b", "+b", "-b"])
    }

    @Test("a stream that has finished is not started again for an equal query")
    func finished() {
        let reaction = states.react(to: \.first) { streams.make($0) }.sink { events.append($0) }
        states.send(["a"])
        streams["a"].send(completion: .finished)
        states.send(["a", "x"])
        #expect(streams.log.all == ["+a"])
        withExtendedLifetime(reaction) {}
    }

    @Test("a condition runs its stream from when it becomes true until it no longer is, the first state included")
    func condition() {
        states.send(["full"])
        let reaction = states.react(when: { !$0.isEmpty }) { streams.make("full") }.sink { events.append($0) }
        states.send(["still", "full"])
        states.send([])
        states.send(["again"])
        #expect(streams.log.all == ["+full", "-full", "+full"])
        withExtendedLifetime(reaction) {}
    }

    @Test("in a loop, work is started and cancelled by what the state says")
    func inLoop() {
        let streams = streams
        let store = scriptStore { states in
            [states.react(to: \.last) { word in streams.make(word).map { .words([$0]) } }]
        }
        store.send(.words(["load"]))
        #expect(streams.log.all == ["+load"])
        streams["load"].send("loaded")
        #expect(store.state == ["load", "loaded"])
        #expect(streams.log.all == ["+load", "-load", "+loaded"])
        store.cancel()
        #expect(streams.log.all == ["+load", "-load", "+loaded", "-loaded"])
    }
}

@Suite("Reactions to each of many keys")
struct ReactToEachTests {
    private let states = CurrentValueSubject<[String], Never>([])
    private let streams = Streams<String>()
    private let events = Recorder<String>()

    private func react() -> AnyCancellable {
        let streams = streams
        return states.react(toEach: { $0 }) { streams.make($0) }.sink { events.append($0) }
    }

    @Test("each key has its stream; those that go are cancelled before those that come are started, both in order")
    func keys() {
        let reaction = react()
        states.send(["a", "b", "c"])
        states.send(["d", "c", "e"])
        #expect(streams.log.all == ["+a", "+b", "+c", "-a", "-b", "+d", "+e"])
        streams["a"].send("too late")
        streams["c"].send("c1")
        streams["e"].send("e1")
        #expect(events.all == ["c1", "e1"])
        reaction.cancel()
        #expect(Set(streams.log.all.suffix(3)) == ["-c", "-d", "-e"])
    }

    @Test("a key that stays is left alone when its stream has finished; one that comes again starts again")
    func again() {
        let reaction = react()
        states.send(["a"])
        streams["a"].send(completion: .finished)
        states.send(["a", "b"])
        #expect(streams.log.all == ["+a", "+b"])
        states.send(["b"])
        states.send(["b", "a"])
        #expect(streams.log.all == ["+a", "+b", "+a"])
        withExtendedLifetime(reaction) {}
    }

    @Test("a key that is there twice counts once, and a set will do for a list")
    func duplicates() {
        let reaction = react()
        states.send(["a", "a"])
        states.send(["a"])
        #expect(streams.log.all == ["+a"])
        let streams = streams
        let other = states.react(toEach: { Set($0) }) { streams.make($0) }.sink { _ in }
        #expect(streams.log.all == ["+a", "+a"])
        withExtendedLifetime((reaction, other)) {}
    }

    /// Both states find the operator busy, so that it hears of both before any stream is started.
    @Test("a key that goes before its stream has begun never runs")
    func goneAtOnce() {
        let (states, streams) = (states, streams)
        let reaction = states.react(toEach: { $0 }) { streams.make($0) }.sink { event in
            states.send(["a", "short"])
            states.send(["a"])
        }
        states.send(["a"])
        streams["a"].send("go")
        streams["short"].send("must not be heard")
        #expect(!streams.log.all.contains("+short") || streams.log.all.contains("-short"))
        withExtendedLifetime(reaction) {}
    }

    @Test("a key whose closure leads to the cancellation is not started, and no later one either")
    func cancelledInTheClosure() {
        let (log, kept) = (Recorder<String>(), Keeper())
        let reaction = states.react(toEach: { $0 }) { key in
            log.append("make \(key)")
            if key == "b" { kept.cancel() }
            return Deferred {
                log.append("start \(key)")
                return Empty<String, Never>(completeImmediately: false)
            }
        }.sink { _ in }
        kept.keep(reaction)
        states.send(["a", "b", "c"])
        #expect(log.all == ["make a", "start a", "make b"])
    }

    @Test("ten thousand keys come and go")
    func many() {
        let keys = (0..<10_000).map { "\($0)" }
        let reaction = react()
        states.send(keys)
        states.send(Array(keys.dropFirst(5_000)))
        #expect(streams.log.count == 15_000)
        streams["9999"].send("alive")
        #expect(events.all == ["alive"])
        withExtendedLifetime(reaction) {}
    }
}

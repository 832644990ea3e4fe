import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Streams that changes of the state start: the started and the cancelled ones, in order.
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

    @Test("The stream of a query runs while the query is non-nil and equal, and is cancelled when it changes or becomes nil")
    func query() {
        let reaction = states.react(to: \.first) { streams.make($0) }.sink { events.append($0) }
        expectEqual(streams.log.all, [])
        states.send(["a"])
        streams["a"].send("a1")
        states.send(["a", "b"])
        streams["a"].send("a2")
        states.send(["b"])
        expectEqual(streams.log.all, ["+a", "-a", "+b"])
        streams["a"].send("too late")
        states.send([])
        expectEqual(streams.log.all, ["+a", "-a", "+b", "-b"])
        states.send(["b"])
        streams["b"].send("b1")
        expectEqual(events.all, ["a1", "a2", "b1"])
        reaction.cancel()
        expectEqual(streams.log.all, ["+a", "-a", "+b", "-b", "+b", "-b"])
    }

    @Test("A stream that has finished is not restarted for an equal query")
    func finished() {
        let reaction = states.react(to: \.first) { streams.make($0) }.sink { events.append($0) }
        states.send(["a"])
        streams["a"].send(completion: .finished)
        states.send(["a", "x"])
        expectEqual(streams.log.all, ["+a"])
        withExtendedLifetime(reaction) {}
    }

    @Test("A condition runs its stream while it is true, also for the first state")
    func condition() {
        states.send(["full"])
        let reaction = states.react(when: { !$0.isEmpty }) { streams.make("full") }.sink { events.append($0) }
        states.send(["still", "full"])
        states.send([])
        states.send(["again"])
        expectEqual(streams.log.all, ["+full", "-full", "+full"])
        withExtendedLifetime(reaction) {}
    }

    @Test("The state of a loop starts and cancels the stream of a reaction")
    func inLoop() {
        let streams = streams
        let store = scriptStore { states in
            [states.react(to: \.last) { word in streams.make(word).map { .words([$0]) } }]
        }
        store.send(.words(["load"]))
        expectEqual(streams.log.all, ["+load"])
        streams["load"].send("loaded")
        expectEqual(store.state, ["load", "loaded"])
        expectEqual(streams.log.all, ["+load", "-load", "+loaded"])
        store.cancel()
        expectEqual(streams.log.all, ["+load", "-load", "+loaded", "-loaded"])
    }
}

@Suite("Keyed reactions")
struct ReactToEachTests {
    private let states = CurrentValueSubject<[String], Never>([])
    private let streams = Streams<String>()
    private let events = Recorder<String>()

    private func react() -> AnyCancellable {
        let streams = streams
        return states.react(toEach: { $0 }) { streams.make($0) }.sink { events.append($0) }
    }

    @Test("Each key has a stream: streams of removed keys are cancelled before those of new keys are started, both in order")
    func keys() {
        let reaction = react()
        states.send(["a", "b", "c"])
        states.send(["d", "c", "e"])
        expectEqual(streams.log.all, ["+a", "+b", "+c", "-a", "-b", "+d", "+e"])
        streams["a"].send("too late")
        streams["c"].send("c1")
        streams["e"].send("e1")
        expectEqual(events.all, ["c1", "e1"])
        reaction.cancel()
        expectEqual(Set(streams.log.all.suffix(3)), ["-c", "-d", "-e"])
    }

    @Test("A key whose stream has finished is not restarted while it is present, and is restarted when it returns")
    func again() {
        let reaction = react()
        states.send(["a"])
        streams["a"].send(completion: .finished)
        states.send(["a", "b"])
        expectEqual(streams.log.all, ["+a", "+b"])
        states.send(["b"])
        states.send(["b", "a"])
        expectEqual(streams.log.all, ["+a", "+b", "+a"])
        withExtendedLifetime(reaction) {}
    }

    @Test("A key that occurs twice counts once, and the keys can be a set")
    func duplicates() {
        let reaction = react()
        states.send(["a", "a"])
        states.send(["a"])
        expectEqual(streams.log.all, ["+a"])
        let streams = streams
        let other = states.react(toEach: { Set($0) }) { streams.make($0) }.sink { _ in }
        expectEqual(streams.log.all, ["+a", "+a"])
        withExtendedLifetime((reaction, other)) {}
    }

    /// The operator is busy when both states arrive, so that it handles both before any stream is started.
    @Test("The stream of a key that is removed before it has begun does not run")
    func goneAtOnce() {
        let (states, streams) = (states, streams)
        let reaction = states.react(toEach: { $0 }) { streams.make($0) }.sink { event in
            states.send(["a", "short"])
            states.send(["a"])
        }
        states.send(["a"])
        streams["a"].send("go")
        streams["short"].send("must not be heard")
        expect(!streams.log.all.contains("+short") || streams.log.all.contains("-short"))
        withExtendedLifetime(reaction) {}
    }

    @Test("A key whose closure cancels the reaction is not started, nor are later ones")
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
        expectEqual(log.all, ["make a", "start a", "make b"])
    }

    @Test("Thousands of keys start their streams, and half of these are cancelled when their keys are removed")
    func many() {
        let count: Int = Budget.size(10_000, quick: 500)
        let keys: [String] = (0..<count).map { "\($0)" }
        let reaction = react()
        states.send(keys)
        states.send(Array(keys.dropFirst(count / 2)))
        expectEqual(streams.log.count, count + count / 2)
        streams["\(count - 1)"].send("alive")
        expectEqual(events.all, ["alive"])
        withExtendedLifetime(reaction) {}
    }
}

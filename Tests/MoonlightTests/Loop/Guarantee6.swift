import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// `transform` may throw: the event is rejected, the state untouched, the loop goes on.
@Suite("Rejection by a loop: an event that transform refuses changes nothing")
struct Guarantee6Refusal {
    struct Refused: Error {}

    /// Refuses the word "no".
    @Sendable
    private static func transform(state: [String], word: String) throws -> AnyPublisher<String, Never> {
        guard word != "no" else { throw Refused() }
        return Just(word).eraseToAnyPublisher()
    }

    @Test("A refused event leaves the state as it is, and observers receive nothing")
    func stateStays() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("a")
        loop.send("no")
        expectEqual(loop.seen.all, [[], ["a"]])
        expect(!loop.isFinished)
    }

    @Test("A loop goes on after a refusal")
    func goesOn() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("no")
        loop.send("a")
        expectEqual(loop.words, ["a"])
    }

    @Test("Events that wait behind a refused one are handled")
    func whatWaits() {
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { _, word in
                guard word == "first" else { return try Self.transform(state: [], word: word) }
                for word in ["no", "a", "no", "b"] { events.send(word) }
                throw Refused()
            })
        loop.send("first")
        expectEqual(loop.words, ["a", "b"])
    }

    @Test("Live effects are not affected by a refusal")
    func liveEffects() {
        let live = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            transform: { _, word in
                word == "live" ? live.eraseToAnyPublisher() : try Self.transform(state: [], word: word)
            })
        loop.send("live")
        loop.send("no")
        live.send("a")
        expectEqual(loop.words, ["a"])
    }

    @Test("A refused last event does not keep the loop from its end")
    func end() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("no")
        loop.finish()
        expect(loop.isFinished)
    }
}

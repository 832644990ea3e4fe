import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// If `transform` throws, the event is rejected, the state does not change, and the loop continues.
@Suite("Guarantee 6: a rejected event changes nothing")
struct Guarantee6Refusal {
    struct Refused: Error {}

    /// Rejects the word "no".
    @Sendable
    private static func transform(state: [String], word: String) throws -> AnyPublisher<String, Never> {
        guard word != "no" else { throw Refused() }
        return Just(word).eraseToAnyPublisher()
    }

    @Test("A rejected event does not change the state, and observers receive nothing")
    func stateStays() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("a")
        loop.send("no")
        expectEqual(loop.seen.all, [[], ["a"]])
        expect(!loop.isFinished)
    }

    @Test("A loop continues after a rejection")
    func goesOn() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("no")
        loop.send("a")
        expectEqual(loop.words, ["a"])
    }

    @Test("Events queued behind a rejected one are handled")
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

    @Test("A rejection does not affect live effects")
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

    @Test("A rejected last event does not prevent the loop from ending")
    func end() {
        let loop = WordLoop(transform: Self.transform)
        loop.send("no")
        loop.finish()
        expect(loop.isFinished)
    }
}

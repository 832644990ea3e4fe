import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Frames")
struct FramesTests {
    private let time = VirtualTimeScheduler()
    private let states = PassthroughSubject<Int, Never>()
    private let frames = Recorder<Int>()
    private let completions = Counter()

    private func draw() -> AnyCancellable {
        let (frames, completions) = (frames, completions)
        return states.frames(every: .milliseconds(100), on: time)
            .sink(receiveCompletion: { _ in completions.add() }, receiveValue: { frames.append($0) })
    }

    @Test("the first state is drawn at once, then the newest of each interval, and the last one always")
    func newest() {
        let drawing = draw()
        states.send(1)
        time.advance()
        #expect(frames.all == [1])
        for state in 2...50 { states.send(state) }
        time.advance(by: .milliseconds(99))
        #expect(frames.all == [1])
        time.advance(by: .milliseconds(1))
        #expect(frames.all == [1, 50])
        states.send(51)
        time.advance(by: .milliseconds(500))
        #expect(frames.all == [1, 50, 51])
        #expect(time.pending == 0)
        withExtendedLifetime(drawing) {}
    }

    @Test("after a pause a state is drawn at once")
    func pause() {
        let drawing = draw()
        states.send(1)
        time.advance(by: .milliseconds(1000))
        states.send(2)
        time.advance()
        #expect(frames.all == [1, 2])
        withExtendedLifetime(drawing) {}
    }

    @Test("a state that waits when the states end is drawn before the end")
    func end() {
        let drawing = draw()
        states.send(1)
        time.advance()
        states.send(2)
        states.send(completion: .finished)
        time.advance(by: .milliseconds(100))
        #expect(frames.all == [1, 2])
        #expect(completions.value == 1)
        withExtendedLifetime(drawing) {}
    }

    @Test("a thousand states a frame cost one drawing")
    func busy() {
        let drawing = draw()
        for state in 1...10_000 {
            states.send(state)
            if state.isMultiple(of: 1000) { time.advance(by: .milliseconds(100)) }
        }
        #expect(frames.last == 10_000)
        #expect(frames.count <= 12)
        withExtendedLifetime(drawing) {}
    }
}

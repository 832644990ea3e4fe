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

    @Test("The first state is drawn at once, then the newest of each interval, and the last one in any case")
    func newest() {
        let drawing = draw()
        states.send(1)
        time.advance()
        expectEqual(frames.all, [1])
        for state in 2...50 { states.send(state) }
        time.advance(by: .milliseconds(99))
        expectEqual(frames.all, [1])
        time.advance(by: .milliseconds(1))
        expectEqual(frames.all, [1, 50])
        states.send(51)
        time.advance(by: .milliseconds(500))
        expectEqual(frames.all, [1, 50, 51])
        expectEqual(time.pending, 0)
        withExtendedLifetime(drawing) {}
    }

    @Test("A state after a pause is drawn at once")
    func pause() {
        let drawing = draw()
        states.send(1)
        time.advance(by: .milliseconds(1000))
        states.send(2)
        time.advance()
        expectEqual(frames.all, [1, 2])
        withExtendedLifetime(drawing) {}
    }

    @Test("A state that waits when the states end is drawn before the end")
    func end() {
        let drawing = draw()
        states.send(1)
        time.advance()
        states.send(2)
        states.send(completion: .finished)
        time.advance(by: .milliseconds(100))
        expectEqual(frames.all, [1, 2])
        expectEqual(completions.value, 1)
        withExtendedLifetime(drawing) {}
    }

    @Test("A thousand states per frame are drawn once")
    func busy() {
        let drawing = draw()
        let count: Int = Budget.size(10_000, quick: 3_000)
        for state in 1...count {
            states.send(state)
            if state.isMultiple(of: 1000) { time.advance(by: .milliseconds(100)) }
        }
        expectEqual(frames.last, count)
        expect(frames.count <= count / 1000 + 2)
        withExtendedLifetime(drawing) {}
    }
}

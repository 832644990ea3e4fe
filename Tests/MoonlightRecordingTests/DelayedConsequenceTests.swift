import Moonlight
import MoonlightRecording
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct World: Sendable {
    var call: @Sendable (Int) -> AnyPublisher<Int, Never>
    var scheduler: AnyScheduler<TimePoint, Never>
}

private let call = Stub<Int, Int, Never>("call")

private let reducer = Reducer<Int, Int, Int, World>(
    transform: { _, event, world in
        world.call(event).timeout(.seconds(2), scheduler: world.scheduler).eraseToAnyPublisher()
    },
    apply: { (state: inout Int, effect: Int) in state = effect })

@Suite("Recording: consequences that a scheduler delays")
struct DelayedConsequenceTests {
    @Test("An answer whose consequence a scheduler has delayed until after the next answer is no difference")
    func delayed() throws {
        let scheduler = VirtualTimeScheduler()
        let answers = PassthroughSubject<Int, Never>()
        let recording = Recording(of: reducer)
        let world = World(
            call: recording.publisher("call") { _ in answers.eraseToAnyPublisher() },
            scheduler: recording.scheduler(scheduler).eraseToAnyScheduler())
        let store = Store(reducer: reducer, initialState: 0, environment: world, options: LoopOptions(journal: recording))
        store.post(1)
        answers.send(8)
        answers.send(completion: .finished)
        scheduler.advance(by: 0)
        expectEqual(store.state, 8)
        recording.flush()
        let difference = try recording.firstDifference(from: reducer) {
            World(call: $0.publisher(call), scheduler: $0.scheduler.eraseToAnyScheduler())
        }
        expectEqual(difference, nil)
    }
}

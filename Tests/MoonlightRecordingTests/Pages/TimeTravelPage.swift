import Moonlight
import MoonlightRecording
import Streams
import Testing

// The blocks of the page "TimeTravel", line for line, compiled and run.

@Suite("Page: TimeTravel")
struct TimeTravelPage {
    private struct Notes: Equatable, Sendable {
        var lines: [String] = []
        var question: String?
    }
    private enum NoteEvent: Sendable {
        case add(String)
        case clear
    }

    @Test("A store in development skips and restores steps, and displays earlier states")
    func development() {
        let notes = Reducer<Notes, NoteEvent, String, Void>(
            transform: { _, event, _ in
                guard case .add(let line) = event else { return .none }
                return .just(line)
            },
            apply: { (notes: inout Notes, line: String) in notes.lines.append(line) })
        @Sendable func answer(_ question: String) -> AnyPublisher<NoteEvent, Never> { .just(.add(question)) }

        let store = Store(
            reducer: notes.inDevelopment(keeping: 1_000), initialState: Development(Notes()), environment: (),
            feedback: { $0.latest { notes in [notes.react(to: \.question) { answer($0) }] } })
        store.send(.event(.add("milk")))
        store.send(.event(.add("eggs")))

        store.send(.command(.skip(1)))
        #expect(store.state.displayed.lines == ["eggs"])
        store.send(.command(.restore(1)))
        store.send(.command(.jump(to: 2)))
        #expect(store.state.displayed.lines == ["milk"])
        #expect(store.state.latest.lines == ["milk", "eggs"])
        store.send(.command(.jump(to: nil)))
        #expect(store.state.displayed.lines == ["milk", "eggs"])
    }
}

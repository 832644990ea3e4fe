import Moonlight
import Streams
import Testing

private struct ButtonsState: Equatable { var lines: [String] = [] }

private enum ButtonsEvent { case number, text }

private enum ButtonsEffect {
    case number(Int)
    case text(String)
}

private struct ButtonsEnvironment {
    let number: () -> AnyPublisher<Int, Never>
    let text: () -> AnyPublisher<String, Never>
}

private enum ButtonsReducer {
    static func transform(
        state: ButtonsState, event: ButtonsEvent, environment: ButtonsEnvironment
    ) -> AnyPublisher<ButtonsEffect, Never> {
        switch event {
        case .number: environment.number().map(ButtonsEffect.number).eraseToAnyPublisher()
        case .text: environment.text().map(ButtonsEffect.text).eraseToAnyPublisher()
        }
    }

    static func apply(state: ButtonsState, effect: ButtonsEffect) -> ButtonsState {
        switch effect {
        case .number(let number): ButtonsState(lines: state.lines + ["Number: \(number)"])
        case .text(let text): ButtonsState(lines: state.lines + ["Text: \(text)"])
        }
    }
}

private final class ButtonsView {
    private let taps = PassthroughSubject<ButtonsEvent, Never>()
    private var subscriptions = Set<AnyCancellable>()
    private(set) var text = ""

    func bind(states: AnyPublisher<ButtonsState, Never>) -> [AnyPublisher<ButtonsEvent, Never>] {
        states.sink { self.text = $0.lines.joined(separator: "\n") }.store(in: &subscriptions)
        return [taps.eraseToAnyPublisher()]
    }

    func tap(_ event: ButtonsEvent) { taps.send(event) }
}

@Suite("Page: ComingFromMoonKit")
struct ComingFromMoonKitPage {
    @Test("A scene shows the answers to taps of its buttons")
    func scene() {
        let view = ButtonsView()
        let environment = ButtonsEnvironment(
            number: { Just(42).eraseToAnyPublisher() }, text: { Just("hi").eraseToAnyPublisher() })
        let loop = Moonlight.start(
            initialState: ButtonsState(),
            environment: environment,
            feedback: view.bind,
            transform: ButtonsReducer.transform,
            apply: ButtonsReducer.apply)
        view.tap(.number)
        view.tap(.text)
        #expect(view.text == "Number: 42\nText: hi")
        loop.cancel()
    }
}

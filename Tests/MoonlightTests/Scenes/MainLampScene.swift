import Moonlight
import Streams

/// The same scene as `LampScene`, with a view controller that is isolated to the main actor, as UIKit's are.
@MainActor
enum MainLampScene {
    static func create(
        brightness: @escaping () -> AnyPublisher<Int, Never>,
        color: @escaping () -> AnyPublisher<String, Never>
    ) -> MainLampViewController {
        let env = LampEnvironment(
            brightness: brightness,
            color: color
        )

        let vc = MainLampViewController()

        Moonlight.start(
            initialState: LampState(),
            environment: env,
            feedback: vc.bind,
            transform: LampReducer.transform,
            apply: LampReducer.apply
        ).store(in: &vc.subscriptions)

        return vc
    }
}

@MainActor
final class MainLampViewController {
    @MainActor
    final class Label {
        /// Called with each new text.
        var textDidChange: (String) -> Void = { _ in }
        var text = "unset" { didSet { textDidChange(text) } }
    }

    @MainActor
    final class Button {
        var action: () -> Void = {}
        func tap() { action() }
    }

    var subscriptions = Set<AnyCancellable>()

    let label = Label()
    let button1 = Button()
    let button2 = Button()

    private let eventSubject = PassthroughSubject<LampEvent, Never>()

    init() {
        button1.action = { [weak self] in self?.button1DidTap() }
        button2.action = { [weak self] in self?.button2DidTap() }
    }

    func bind(state: AnyPublisher<LampState, Never>) -> [AnyPublisher<LampEvent, Never>] {
        state
            .print("bind")
            .sink(receiveValue: { [label] in label.text = $0.lines.joined(separator: "\n") })
            .store(in: &subscriptions)

        return [eventSubject.eraseToAnyPublisher()]
    }

    private func button1DidTap() {
        eventSubject.send(.userDidAskForBrightness)
    }

    private func button2DidTap() {
        eventSubject.send(.userDidAskForColor)
    }
}

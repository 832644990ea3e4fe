import Moonlight
import Streams

/// A scene in the style of MoonKit: an assembly, a reducer of two static functions, a system of four types, a view controller.
enum LampScene {
    static func create(
        brightness: @escaping () -> AnyPublisher<Int, Never>,
        color: @escaping () -> AnyPublisher<String, Never>
    ) -> LampViewController {
        let env = LampEnvironment(
            brightness: brightness,
            color: color
        )

        let vc = LampViewController()

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

enum LampReducer {
    static func transform(
        state: LampState,
        event: LampEvent,
        env: LampEnvironment
    ) -> AnyPublisher<LampEffect, Never> {
        switch event {
        case .userDidAskForBrightness:
            return env.brightness()
                .print("brightness")
                .map(LampEffect.brightnessDidArrive)
                .eraseToAnyPublisher()

        case .userDidAskForColor:
            return env.color()
                .print("color")
                .map(LampEffect.colorDidArrive)
                .eraseToAnyPublisher()
        }
    }

    static func apply(
        state: LampState,
        effect: LampEffect
    ) -> LampState {
        var lines = state.lines

        switch effect {
        case .brightnessDidArrive(let value):
            lines.append("Brightness: \(value)")

        case .colorDidArrive(let value):
            lines.append("Color: \(value)")
        }

        lines = lines.suffix(3)

        return .init(lines: lines)
    }
}

struct LampEnvironment {
    let brightness: () -> AnyPublisher<Int, Never>
    let color: () -> AnyPublisher<String, Never>
}

struct LampState: Equatable {
    var lines: [String] = []
}

enum LampEvent {
    case userDidAskForBrightness
    case userDidAskForColor
}

enum LampEffect {
    case brightnessDidArrive(Int)
    case colorDidArrive(String)
}

/// A plain class in place of a view controller, as there is no UIKit.
final class LampViewController {
    final class Label { var text = "unset" }

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

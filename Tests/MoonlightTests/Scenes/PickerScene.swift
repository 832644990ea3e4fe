import Moonlight
import MoonlightTestSupport
import Streams

/// A scene with a result: its presenter receives the user's choice, once.
enum PickerScene {
    static func show(_ picker: Picker) -> AnyPublisher<Int, Never> {
        Moonlight.start(
            initialState: PickerState(),
            environment: (),
            feedback: picker.bind,
            transform: PickerReducer.transform,
            apply: PickerReducer.apply,
            store: { picker.loops.keep($0) }
        )
        .compactMap(\.result)
        .first()
        .handleEvents(receiveOutput: { _ in picker.dismiss() })
        .eraseToAnyPublisher()
    }
}

enum PickerReducer {
    static func transform(state: PickerState, event: PickerEvent, env: Void) -> AnyPublisher<PickerEffect, Never> {
        switch event {
        case .mark(let number): Just(.didMark(number)).eraseToAnyPublisher()
        case .confirm: [state.marked].publisher.compactMap(\.self).map(PickerEffect.didPick).eraseToAnyPublisher()
        }
    }

    static func apply(state: PickerState, effect: PickerEffect) -> PickerState {
        switch effect {
        case .didMark(let number): PickerState(marked: number, result: state.result)
        case .didPick(let number): PickerState(marked: state.marked, result: number)
        }
    }
}

struct PickerState: Equatable, Sendable {
    var marked: Int?
    var result: Int?
}

enum PickerEvent: Sendable {
    case mark(Int)
    case confirm
}

enum PickerEffect: Sendable {
    case didMark(Int)
    case didPick(Int)
}

/// The view state of the picker.
struct Picker: Sendable {
    let taps = PassthroughSubject<PickerEvent, Never>()
    let loops = Keeper()
    let marks = Recorder<Int?>()
    let closings = Counter()
    private let observers = Keeper()

    func bind(states: AnyPublisher<PickerState, Never>) -> AnyPublisher<PickerEvent, Never> {
        observers.keep(
            states.sink(
                receiveCompletion: { [closings] _ in closings.add() },
                receiveValue: { [marks] in marks.append($0.marked) }))
        return taps.eraseToAnyPublisher()
    }

    func dismiss() { loops.cancel() }
}

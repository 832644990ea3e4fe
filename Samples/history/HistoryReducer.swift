import Streams

/// What is remembered: the last ten lines, the newest at the end.
struct HistoryState: Equatable {
    var history: [String] = []
}

/// What the user asks for.
enum HistoryEvent: Equatable {
    case numberRequested
    case textRequested
}

/// What changes the state: an answer.
enum HistoryEffect: Hashable {
    case numberReceived(Int)
    case textReceived(String)
}

/// Whom to ask. Where the answers come from, and when, is decided by whoever fills this in.
struct HistoryEnvironment: Sendable {
    let number: @Sendable () -> AnyPublisher<Int, Never>
    let text: @Sendable () -> AnyPublisher<String, Never>
}

/// The two functions that make the program what it is. Neither does anything to the world: they can be read, and tested,
/// alone.
enum HistoryReducer {
    /// From an event to a stream of effects.
    static func transform(
        state: HistoryState,
        event: HistoryEvent,
        environment: HistoryEnvironment
    ) -> AnyPublisher<HistoryEffect, Never> {
        switch event {
        case .numberRequested:
            environment.number().map(HistoryEffect.numberReceived).eraseToAnyPublisher()
        case .textRequested:
            environment.text().map(HistoryEffect.textReceived).eraseToAnyPublisher()
        }
    }

    /// From a state and an effect to the next state.
    static func apply(state: HistoryState, effect: HistoryEffect) -> HistoryState {
        let line =
            switch effect {
            case .numberReceived(let number): "Number: \(number)"
            case .textReceived(let text): "String: \(text)"
            }
        return HistoryState(history: (state.history + [line]).suffix(10))
    }
}

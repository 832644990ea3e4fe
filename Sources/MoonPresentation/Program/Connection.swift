import Dispatch
import Streams

/// A terminal at the other end of a connection: a queue to which what comes from there is delivered.
final class Connection: Sendable {
    enum Message: Sendable {
        case bytes([UInt8])
        case size(Size)
        case end
    }

    private struct State {
        var size: Size
        /// What came while no program was there, at most so many.
        var early: [Message] = []
        var receiver: (@Sendable (Message) -> Void)?
        var hasEnded = false
    }

    /// How much is kept for a program that is not there yet.
    private static let longestWait = 1000
    private let state: Lock<State>
    let queue = DispatchQueue(label: "moonlight.terminal")
    let write: @Sendable ([UInt8]) -> Void

    init(size: Size, _ write: @escaping @Sendable ([UInt8]) -> Void) {
        state = Lock(State(size: size))
        self.write = write
    }

    var size: Size { state.withLock { $0.size } }

    /// Passes a message on. Under the lock it is only put into the queue, so that the order is that of the calls.
    func deliver(_ message: Message) {
        state.withLock { state in
            if case .size(let size) = message { state.size = size }
            if case .end = message { state.hasEnded = true }
            if let receiver = state.receiver {
                queue.async { receiver(message) }
            } else if state.early.count < Self.longestWait {
                state.early.append(message)
            }
        }
    }

    /// Passes messages to a program, those that came earlier first; nil for none.
    func receive(_ receiver: (@Sendable (Message) -> Void)?) {
        state.withLock { state in
            state.receiver = receiver
            guard let receiver else {
                state.early = state.hasEnded ? [.end] : []
                return
            }
            for message in state.early { queue.async { receiver(message) } }
            state.early = []
        }
    }
}

import Dispatch
import Streams

/// Runs a program on a terminal at the other end of a connection, on the connection's queue. An idle program uses no thread.
final class ConnectionDriver: @unchecked Sendable {
    // Sound: all properties are only used on the connection's queue.
    private let session: any TerminalSession
    private let connection: Connection
    private let requests: TerminalRequests
    private var completion: ((ProgramEnding) -> Void)?
    /// The number of the last pause, so that earlier timers have no effect.
    private var pauses = 0
    private var isTimerSet = false

    init(_ session: any TerminalSession, _ connection: Connection, _ requests: TerminalRequests) {
        self.session = session
        self.connection = connection
        self.requests = requests
    }

    /// Starts the program. Must be called once, on any thread.
    ///
    /// - Parameter completion: Called on the queue when the program has ended.
    func start(_ completion: @escaping @Sendable (ProgramEnding) -> Void) {
        connection.queue.async { [self] in
            self.completion = completion
            session.open()
            connection.receive { [self] message in take(message) }
            goOn()
        }
    }

    /// Schedules a turn. Thread-safe.
    func wake() { connection.queue.async { [self] in goOn() } }

    private func take(_ message: Connection.Message) {
        guard completion != nil else { return }
        switch message {
        case .bytes(let bytes):
            session.receive(bytes[...])
            session.endOfBytes()
            pauses += 1
            if let pause = session.pause {
                let number = pauses
                connection.queue.asyncAfter(deadline: .now() + TimeStride(pause).timeInterval) { [self] in
                    if number == pauses, completion != nil {
                        session.endOfPause()
                        goOn()
                    }
                }
            }
        case .size(let size): session.resize(to: size)
        case .end: session.end(.hangup)
        }
        goOn()
    }

    private func goOn() {
        guard completion != nil else { return }
        session.awake()
        handleRequests()
        // There is no shell at the other end that could continue the program.
        session.wantsSuspension = false
        flush()
        repeat {
            let putOff = session.turn(at: .now)
            flush()
            if session.ending != nil { return finish() }
            if let putOff { setTimer(putOff) }
            if session.fallAsleep(isPutOff: putOff != nil) { return }
        } while true
    }

    private func handleRequests() {
        for request in requests.take() {
            switch request {
            case .print(let lines): session.print(lines)
            case .send(let bytes): session.send(bytes)
            case .end(let ending): session.end(ending)
            case .lend(let process, let answer): answer(.failure(.noTerminal(for: process)))
            }
        }
    }

    private func setTimer(_ duration: Duration) {
        guard !isTimerSet else { return }
        isTimerSet = true
        connection.queue.asyncAfter(deadline: .now() + TimeStride(duration).timeInterval) { [self] in
            isTimerSet = false
            goOn()
        }
    }

    private func flush() {
        guard !session.output.isEmpty else { return }
        let bytes = session.output
        session.output = []
        connection.write(bytes)
    }

    private func finish() {
        let completion = completion
        self.completion = nil
        let ending = session.ending ?? .finished
        // Lines that were printed while the program ended.
        handleRequests()
        session.close()
        if ending != .hangup { flush() }
        connection.receive(nil)
        requests.close()
        completion?(ending)
    }
}

/// A terminal at the other end of a connection: a queue that receives its input.
final class Connection: Sendable {
    enum Message: Sendable {
        case bytes([UInt8])
        case size(Size)
        case end
    }

    private struct State {
        var size: Size
        /// The input that arrived while no program was shown.
        var early: [[UInt8]] = []
        var receiver: (@Sendable (Message) -> Void)?
        var hasEnded = false
    }

    /// The largest number of early inputs.
    private static let longestWait = 1000
    private let state: Lock<State>
    let queue = DispatchQueue(label: "moonlight.terminal")
    let write: @Sendable ([UInt8]) -> Void

    init(size: Size, _ write: @escaping @Sendable ([UInt8]) -> Void) {
        state = Lock(State(size: size))
        self.write = write
    }

    var size: Size { state.withLock { $0.size } }

    /// Delivers a message to the program. It is enqueued under the lock, so that messages keep the order of the calls.
    func deliver(_ message: Message) {
        state.withLock { state in
            switch message {
            case .size(let size): state.size = size
            case .end: state.hasEnded = true
            case .bytes(let bytes):
                if state.receiver == nil, state.early.count < Self.longestWait { state.early.append(bytes) }
            }
            if let receiver = state.receiver { queue.async { receiver(message) } }
        }
    }

    /// Sets the receiver of messages, which also receives the size, the early input and the end; nil for none.
    func receive(_ receiver: (@Sendable (Message) -> Void)?) {
        let before = state.withLock { state in
            defer { state.receiver = receiver }
            if let receiver {
                let missed: [Message] = [.size(state.size)] + state.early.map(Message.bytes) + (state.hasEnded ? [.end] : [])
                for message in missed { queue.async { receiver(message) } }
            }
            state.early = []
            return state.receiver
        }
        // Released outside the lock.
        discard(before)
    }
}

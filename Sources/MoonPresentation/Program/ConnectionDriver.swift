import Dispatch
import Streams

/// Runs a program on a terminal at the other end of a connection, on the queue of that connection. It needs no thread while nothing
/// happens.
final class ConnectionDriver: @unchecked Sendable {
    // Sound: all properties are only used on the queue of the connection.
    private let session: any TerminalSession
    private let connection: Connection
    private let errands: Errands
    private var completion: ((ProgramEnding) -> Void)?
    /// Counts what was waited for, so that what is out of date does nothing.
    private var pauses = 0
    private var isTimerSet = false

    init(_ session: any TerminalSession, _ connection: Connection, _ errands: Errands) {
        self.session = session
        self.connection = connection
        self.errands = errands
    }

    /// Begins. Any thread may call it, once.
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

    /// There may be something to draw, or to do. Any thread may call it.
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
        for errand in errands.take() {
            switch errand {
            case .print(let lines): session.print(lines)
            case .send(let bytes): session.send(bytes)
            case .end(let ending): session.end(ending)
            case .lend(let process, let answer): answer(.failure(.noTerminal(for: process)))
            }
        }
        // There is no shell at the other end that could continue it.
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
        session.close()
        if ending != .hangup { flush() }
        connection.receive(nil)
        errands.close()
        completion?(ending)
    }
}

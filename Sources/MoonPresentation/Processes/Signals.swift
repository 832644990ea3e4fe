import Dispatch
import Streams

/// Signals that the process receives, as a publisher.
///
/// ```swift
/// Signals(SIGUSR1).publisher.map { _ in Event.reload }
/// ```
/// While it is subscribed to, the signals have no other effect. A signal that the process ignores when the subscription begins, as one
/// behind `nohup` does, is not caught, and neither is a number that is no signal's.
public struct Signals: Sendable {
    private let numbers: [Int32]

    /// Names signals, such as `SIGUSR1`.
    public init(_ numbers: Int32...) { self.numbers = numbers }

    /// The numbers of the signals, as they arrive, on a queue of their own. It never finishes. Several signals of one kind may count as
    /// one, as the system has it. At most a dozen of these are subscribed to at once; further ones receive nothing.
    public var publisher: AnyPublisher<Int32, Never> {
        let numbers = numbers
        return Deferred { () -> AnyPublisher<Int32, Never> in
            guard let mail = try? SignalMail(numbers) else { return Empty(completeImmediately: false).eraseToAnyPublisher() }
            // Caught from here on, and told as soon as they are asked for.
            return .run { send in
                let source = DispatchSource.makeReadSource(
                    fileDescriptor: mail.descriptor.number, queue: DispatchQueue(label: "moonlight.signals"))
                source.setEventHandler { for signal in mail.take() where signal != SignalMail.wake { send(signal) } }
                source.activate()
                let never = AsyncStream(Void.self) { _ in }
                for await _ in never {}
                source.cancel()
                mail.close()
            }
        }.eraseToAnyPublisher()
    }

    /// Ends the process by a signal, as if it had never been caught: the caller of the process sees the signal.
    ///
    /// ```swift
    /// Signals(SIGINT, SIGTERM).publisher.first().sink { signal in
    ///     removeTemporaryFiles()
    ///     Signals.endProcess(by: signal)
    /// }
    /// ```
    /// - Parameter signal: The signal. One that does not end a process, such as `SIGWINCH`, has no effect.
    public static func endProcess(by signal: Int32) { SignalAction.die(of: signal) }
}

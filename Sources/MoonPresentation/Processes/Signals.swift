import Dispatch
import Streams

/// The signals that the process receives.
public enum Signals {
    /// A publisher of signals as they arrive, on a separate queue.
    ///
    /// ```swift
    /// Signals.publisher(SIGUSR1).map { _ in Event.reload }
    /// ```
    /// While it is subscribed to, the signals have no other effect, except that a ``Program`` in a terminal still adapts to
    /// `SIGWINCH` and `SIGCONT`. It never finishes. The system may merge several signals of one kind into one. At most a dozen
    /// subscriptions receive signals at once; further ones receive nothing.
    ///
    /// A signal that the process ignores when the subscription begins, for example under `nohup`, is not caught.
    ///
    /// - Parameter numbers: The signals. A number that is not a signal's is left out.
    public static func publisher(_ numbers: Int32...) -> AnyPublisher<Int32, Never> {
        Deferred { () -> AnyPublisher<Int32, Never> in
            guard let mail = try? SignalMail(numbers) else { return Empty(completeImmediately: false).eraseToAnyPublisher() }
            // The signals are caught from here on, and delivered once they are requested.
            return .run { send in
                let source = DispatchSource.makeReadSource(
                    fileDescriptor: mail.descriptor.number, queue: DispatchQueue(label: "moonlight.signals"))
                source.setEventHandler { for signal in mail.take() where signal != SignalMail.wake { send(signal) } }
                // Until then, the source may read from the pipe, which the next subscriber reuses.
                source.setCancelHandler { mail.close() }
                source.activate()
                let never = AsyncStream(Void.self) { _ in }
                for await _ in never {}
                source.cancel()
            }
        }.eraseToAnyPublisher()
    }
}

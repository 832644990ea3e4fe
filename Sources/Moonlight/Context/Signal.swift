import Streams

/// A signal that is sent once. Those that subscribe later receive it, too.
final class Signal: Sendable {
    let sent: Future<Void, Never>
    private let promise: Future<Void, Never>.Promise

    init() {
        var promise: Future<Void, Never>.Promise = { _ in }
        sent = Future { promise = $0 }
        self.promise = promise
    }

    func send() { promise(.success(())) }
}

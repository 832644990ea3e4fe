import Synchronization

/// A list for concurrent appends.
package final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    package init() {}

    package func append(_ value: Value) { values.withLock { $0.append(value) } }

    package var all: [Value] { values.withLock { $0 } }
}

import Streams

/// A value of a redacted property.
struct RedactedValue: @unchecked Sendable {
    // Sound: it was read from a state, which is Sendable, and is only read.
    /// The index of the property among the redacted ones.
    let property: Int
    let value: Any
}

/// The values of redacted properties that have not been learned yet.
///
/// The queue of entries drops states when it is full, and an event may repeat a value that only such a state has had. So the
/// values are read from each state when it arrives, on the thread of the loop.
@usableFromInline
final class RedactedValues<State: Sendable>: Sendable {
    private struct Contents: @unchecked Sendable {
        // Sound: behind a lock; see RedactedValue.
        /// The last values, which are retained so that their storage is not reused.
        var last: [Any?]
        var waiting: [RedactedValue] = []
    }

    /// The maximal number of pending values.
    static var most: Int { 4096 }

    private let keyPaths: [PartialKeyPath<State> & Sendable]
    private let contents: Lock<Contents>

    init(_ keyPaths: [PartialKeyPath<State> & Sendable]) {
        self.keyPaths = keyPaths
        contents = Lock(Contents(last: Array(repeating: nil, count: keyPaths.count)))
    }

    /// Reads the values of a state that differ from those of the previous one.
    ///
    /// - Returns: True if so many are pending that they must be processed at once.
    func take(from state: State) -> Bool {
        let values = keyPaths.map { keyPath -> Any in state[keyPath: keyPath] }
        let (isFull, replaced) = contents.withLock { contents in
            var replaced: [Any?] = []
            for (property, value) in values.enumerated() {
                if let last = contents.last[property], SameBytes.areSame(last, value) { continue }
                replaced.append(contents.last[property])
                contents.last[property] = value
                contents.waiting.append(RedactedValue(property: property, value: value))
            }
            return (contents.waiting.count >= Self.most, replaced)
        }
        discard(replaced)
        return isFull
    }

    /// Removes and returns the pending values, in order.
    func takeWaiting() -> [RedactedValue] {
        contents.withLock { contents in
            let waiting = contents.waiting
            contents.waiting = []
            return waiting
        }
    }
}

import Streams

/// A value that a redacted property had.
struct RedactedValue: @unchecked Sendable {
    // Sound: it was read from a state, which is Sendable, and is only read.
    /// The place of the property among those that are redacted.
    let property: Int
    let value: Any
}

/// The values of redacted properties that are still to be learnt.
///
/// The queue of entries forgets states when it is full, and an event may bring again what only such a state has held. So the values
/// are taken from each state when it comes, on the thread of the loop.
@usableFromInline
final class RedactedValues<State: Sendable>: Sendable {
    private struct Contents: @unchecked Sendable {
        // Sound: behind a lock; see RedactedValue.
        /// The values that were taken last, which are kept so that their storage is not used for others.
        var last: [Any?]
        var waiting: [RedactedValue] = []
    }

    /// How many values may wait before the loop does.
    static var most: Int { 4096 }

    private let keyPaths: [PartialKeyPath<State> & Sendable]
    private let contents: Lock<Contents>

    init(_ keyPaths: [PartialKeyPath<State> & Sendable]) {
        self.keyPaths = keyPaths
        contents = Lock(Contents(last: Array(repeating: nil, count: keyPaths.count)))
    }

    /// Takes the values of a state that the last one did not have.
    ///
    /// - Returns: Whether so many wait that they have to be learnt at once.
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

    /// The values that wait, in their order. They no longer wait.
    func takeWaiting() -> [RedactedValue] {
        contents.withLock { contents in
            let waiting = contents.waiting
            contents.waiting = []
            return waiting
        }
    }
}

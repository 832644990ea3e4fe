/// Calls with which a thread sends more than a mailbox holds before it is full, and than the thread may then send freely.
package enum Flood {
    /// How many calls there are.
    package static let size = 4_420

    /// Makes the calls.
    ///
    /// - Returns: How long each of the last twenty took.
    package static func times(of send: () -> Void) -> [Duration] {
        for _ in 0..<size - 20 { send() }
        let clock = ContinuousClock()
        return (0..<20).map { _ in clock.measure(send) }
    }
}

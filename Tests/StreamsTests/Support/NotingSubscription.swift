@testable import Streams

/// A subscription that records its calls.
final class NotingSubscription: SubscriptionCore, @unchecked Sendable {
    // Sound: the log is thread-safe.
    let log: Log<String>
    let name: String

    init(_ name: String, in log: Log<String>) {
        self.name = name
        self.log = log
    }

    override func request(_ demand: Subscribers.Demand) { log.append("\(name) \(demand)") }
    override func cancel() { log.append("\(name) cancelled") }
}

@testable import Streams

/// A subscription that notes what is asked of it.
final class NotingSubscription: SubscriptionCore, @unchecked Sendable {
    // Sound: the log guards itself.
    let log: Log<String>
    let name: String

    init(_ name: String, in log: Log<String>) {
        self.name = name
        self.log = log
    }

    override func request(_ demand: Subscribers.Demand) { log.append("\(name) \(demand)") }
    override func cancel() { log.append("\(name) cancelled") }
}

import Streams

/// The demand of a ``Recorder``: its requests and their times.
struct Appetite: Sendable, CustomStringConvertible {
    let description: String
    /// Requested one after the other from inside `receive(subscription:)`.
    var atStart: [Subscribers.Demand] = []
    /// Returned for the first value, the second, and so on; nothing for those beyond.
    var returned: [Subscribers.Demand] = []
    /// Requested from inside the delivery of a value, by its position.
    var inside: [Int: Subscribers.Demand] = [:]
    /// Requested one after the other by the test.
    var later: [Subscribers.Demand] = []

    static let unlimited = Appetite(description: "unlimited", atStart: [.unlimited])
    static let nothing = Appetite(description: "nothing")

    static let all: [Appetite] = [
        .unlimited,
        .nothing,
        Appetite(description: "1", atStart: [.max(1)]),
        Appetite(description: "2, 1", atStart: [.max(2), .max(1)]),
        Appetite(description: "0, then 3", later: [.max(3)]),
        Appetite(description: "0, then unlimited", later: [.unlimited]),
        Appetite(description: "1, then 1, 1, 1", atStart: [.max(1)], later: [.max(1), .max(1), .max(1)]),
        Appetite(description: "2, then unlimited", atStart: [.max(2)], later: [.unlimited]),
        Appetite(
            description: "1 and 1 more for each of three", atStart: [.max(1)],
            returned: [.max(1), .max(1), .max(1)]),
        Appetite(description: "1, all from the second on", atStart: [.max(1)], returned: [.max(1), .unlimited]),
        Appetite(description: "1, 2 from inside the first", atStart: [.max(1)], inside: [0: .max(2)]),
        Appetite(description: "1, all from inside the first", atStart: [.max(1)], inside: [0: .unlimited]),
        Appetite(
            description: "1, inside and returned, then 2", atStart: [.max(1)], returned: [.max(1)],
            inside: [0: .max(1), 2: .max(2)], later: [.max(2)]),
        Appetite(description: "unlimited twice", atStart: [.unlimited, .max(1)], later: [.unlimited]),
    ]

    /// Returns the number of values that must have arrived after a number of the later requests: the model with which sources and
    /// operators are compared.
    func served(of available: Int, afterLater count: Int? = nil) -> Int {
        var open = 0
        var sent = 0
        func serve(_ demand: Subscribers.Demand) {
            open += demand.max ?? 1_000_000
            while open > 0, sent < available {
                open -= 1
                if sent < returned.count { open += returned[sent].max ?? 1_000_000 }
                if let more = inside[sent] { open += more.max ?? 1_000_000 }
                sent += 1
            }
        }
        for demand in atStart { serve(demand) }
        for demand in later.prefix(count ?? later.count) { serve(demand) }
        return sent
    }
}

/// A subscriber that requests the demand of its appetite, and records all events and each violation of grammar or demand. It
/// retains its subscription, even after the end.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private let appetite: Appetite
    private let onValue: (@Sendable (Recorder, Input) -> Void)?
    private let record = Lock(Record())

    private struct Record: @unchecked Sendable {
        // Sound: behind the lock.
        var subscription: (any Subscription)?
        var values: [Input] = []
        var completions: [Subscribers.Completion<Failure>] = []
        var violations: [String] = []
        var open = Subscribers.Demand.none
        var isReceiving = false
    }

    init(_ appetite: Appetite = .unlimited, onValue: (@Sendable (Recorder, Input) -> Void)? = nil) {
        self.appetite = appetite
        self.onValue = onValue
    }

    var values: [Input] { record.withLock { $0.values } }
    var completions: [Subscribers.Completion<Failure>] { record.withLock { $0.completions } }
    var violations: [String] { record.withLock { $0.violations } }
    var isSubscribed: Bool { record.withLock { $0.subscription != nil } }
    var subscription: any Subscription {
        record.withLock { Carrier($0.subscription ?? Subscriptions.empty) }.value
    }
    var isFinished: Bool {
        record.withLock { $0.completions.count == 1 && $0.completions[0].error == nil }
    }
    var failure: Failure? { record.withLock { $0.completions.first?.error } }

    func cancel() { subscription.cancel() }

    func request(_ demand: Subscribers.Demand) {
        guard demand != .none else { return }
        record.withLock { $0.open += demand }
        subscription.request(demand)
    }

    func requestLater() {
        for demand in appetite.later { request(demand) }
    }

    // MARK: Subscriber

    func receive(subscription: any Subscription) {
        let carrier = Carrier(subscription)
        let isFirst = record.withLock { record in
            if record.subscription != nil { record.violations.append("a second subscription") }
            defer { record.subscription = carrier.value }
            return record.subscription == nil
        }
        guard isFirst else { return }
        for demand in appetite.atStart { request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let position = record.withLock { record in
            if record.subscription == nil { record.violations.append("\(input) before the subscription") }
            if record.isReceiving { record.violations.append("\(input) inside another delivery") }
            if !record.completions.isEmpty { record.violations.append("\(input) after the completion") }
            if record.open == .none { record.violations.append("\(input) without demand") }
            record.open -= 1
            record.isReceiving = true
            record.values.append(input)
            return record.values.count - 1
        }
        onValue?(self, input)
        if let demand = appetite.inside[position] { request(demand) }
        let more = position < appetite.returned.count ? appetite.returned[position] : .none
        record.withLock { record in
            record.open += more
            record.isReceiving = false
        }
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        record.withLock { record in
            if record.subscription == nil { record.violations.append("\(completion) before the subscription") }
            if record.isReceiving { record.violations.append("\(completion) inside a delivery") }
            if !record.completions.isEmpty { record.violations.append("a second completion: \(completion)") }
            record.completions.append(completion)
        }
    }
}

/// Returns a value that is not `Sendable` from a closure under a lock.
struct Carrier<Value>: @unchecked Sendable {
    // Sound where it is used: subscriptions may be called from any thread.
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// The completion of an upstream.
enum End: Equatable, Sendable {
    case finished
    case failed(Oops)
}

/// An event of an upstream.
enum Event<Value: Sendable>: Sendable {
    case value(Value)
    case end(End)
}

/// An action: of an upstream, of the subscriber, or a tick of time.
enum Action: Sendable, CustomStringConvertible {
    case send(Event<Int>, by: Int)
    /// The upstream sends a second subscription.
    case subscribeAgain
    case request(Int)
    case cancel
    /// Time advances by one.
    case tick

    static func value(_ value: Int, by feed: Int = 0) -> Action { .send(.value(value), by: feed) }
    static func end(_ end: End, by feed: Int = 0) -> Action { .send(.end(end), by: feed) }
    static func finish(by feed: Int = 0) -> Action { .send(.end(.finished), by: feed) }
    static func fail(by feed: Int = 0) -> Action { .send(.end(.failed(.first)), by: feed) }

    var description: String {
        switch self {
        case .send(.value(let value), let feed): "send \(value)\(feed == 0 ? "" : " by \(feed)")"
        case .send(.end(.finished), let feed): "finish\(feed == 0 ? "" : " \(feed)")"
        case .send(.end(.failed), let feed): "fail\(feed == 0 ? "" : " \(feed)")"
        case .subscribeAgain: "subscribe again"
        case .request(let count): count == .everything ? "request everything" : "request \(count)"
        case .cancel: "cancel"
        case .tick: "tick"
        }
    }
}

extension Int {
    /// Unlimited demand.
    static var everything: Int { .max }
}

/// A generated run: the kinds of upstreams, the subscriber, and the actions in order.
struct Script: Sendable, CustomStringConvertible {
    var manners = Manners.cold
    /// The demand of the subscriber when it is attached.
    var demand = Int.everything
    /// The demand that it returns for each value.
    var returned = 0
    /// Indicates whether it cancels as soon as it is attached, after its request.
    var cancelsAtStart = false
    /// Its actions during the delivery at a position.
    var inside: (position: Int, actions: [Action])?
    /// The values that the upstreams have ready before the subscription.
    var ready: [Action] = []
    var steps: [Action] = []

    var description: String {
        var parts = ["\(manners) upstream"]
        if !ready.isEmpty { parts.append("ready: \(ready)") }
        parts.append("demand \(demand == .everything ? "unlimited" : "\(demand)")")
        if returned > 0 { parts.append("returns \(returned)") }
        if cancelsAtStart { parts.append("cancels at once") }
        if let inside { parts.append("inside delivery \(inside.position): \(inside.actions)") }
        return parts.joined(separator: ", ") + "; then: \(steps)"
    }
}

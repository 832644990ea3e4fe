import Streams

/// The behavior of an upstream.
enum Manners: CaseIterable, Sendable {
    /// Keeps its values until they are requested, and sends all of them to each subscriber.
    case cold
    /// Drops values without demand.
    case lossy
    /// Sends regardless of demand, but otherwise follows the grammar.
    case pushing
    /// Sends regardless of demand, also after its completion and after its cancellation.
    case broken
}

/// An upstream without the module's machinery, controlled by a script. Used by one thread.
final class Feed: Publisher, @unchecked Sendable {
    // Sound: a run uses one thread.
    typealias Output = Int
    typealias Failure = Oops
    private let manners: Manners
    let number: Int
    /// Indicates whether it never sends a value that was not requested.
    fileprivate let isStrict: Bool
    private unowned let ledger: Ledger
    /// All values of a cold one.
    fileprivate private(set) var store: [Event<Int>] = []
    private var live: [FeedSubscription] = []
    private(set) var marks: [Mark] = []

    /// The record of a subscription, which it must not retain.
    final class Mark {
        weak var subscription: FeedSubscription?
        var open = 0
        var cancels = 0
        var isCompleted = false
        /// Indicates whether it is a second subscription of a subscriber.
        let isSurplus: Bool
        var isLive: Bool { !isCompleted && cancels == 0 && !isSurplus }

        init(isSurplus: Bool) { self.isSurplus = isSurplus }
    }

    init(_ manners: Manners, number: Int, isStrict: Bool, ledger: Ledger) {
        self.manners = manners
        self.number = number
        self.isStrict = isStrict
        self.ledger = ledger
    }

    /// The unserved demand of each live subscription.
    var open: [Int] { marks.filter(\.isLive).map(\.open) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        let subscription = FeedSubscription(self, subscriber, manners)
        marks.append(subscription.mark)
        live.append(subscription)
        subscriber.receive(subscription: subscription)
        subscription.sendWhatMay()
    }

    func send(_ event: Event<Int>) {
        store.append(event)
        for subscription in live {
            subscription.waiting.append(event)
            subscription.sendWhatMay()
        }
    }

    /// Sends the subscriber a second subscription, which violates the grammar.
    func subscribeAgain() {
        guard let first = live.first, let subscriber = first.subscriber else { return }
        let second = FeedSubscription(self, subscriber, manners, isSurplus: true)
        marks.append(second.mark)
        first.deliver(to: subscriber) { $0.receive(subscription: second) }
    }

    /// Even an invalid upstream is released at some time.
    func letGo() { live = [] }

    fileprivate func forget(_ subscription: FeedSubscription) {
        if manners != .broken { live.removeAll { $0 === subscription } }
    }

    fileprivate func accepted(_ event: Event<Int>, unasked: Bool) {
        ledger.add(event, by: number, unasked: unasked)
    }
}

/// A subscription to a feed: sends the allowed values, one at a time.
final class FeedSubscription: Subscription {
    let mark: Feed.Mark
    fileprivate let feed: Feed
    fileprivate var subscriber: (any Subscriber<Int, Oops>)?
    fileprivate var waiting: [Event<Int>]
    private let manners: Manners
    private var isSending = false

    fileprivate init(
        _ feed: Feed, _ subscriber: any Subscriber<Int, Oops>, _ manners: Manners, isSurplus: Bool = false
    ) {
        self.feed = feed
        self.subscriber = subscriber
        self.manners = manners
        mark = Feed.Mark(isSurplus: isSurplus)
        waiting = manners == .cold && !isSurplus ? feed.store : []
        mark.subscription = self
    }

    func request(_ demand: Subscribers.Demand) {
        mark.open = mark.open.adding(demand)
        sendWhatMay()
    }

    func cancel() {
        mark.cancels += 1
        end()
    }

    private func end() {
        if manners != .broken { subscriber = nil }
        feed.forget(self)
    }

    fileprivate func sendWhatMay() {
        if isSending { return }
        while let subscriber, let event = waiting.first {
            if case .value = event, manners == .cold, mark.open == 0 { return }
            waiting.removeFirst()
            switch event {
            case .value(let value):
                if manners == .lossy || feed.isStrict, mark.open == 0 { continue }
                if mark.isLive { feed.accepted(event, unasked: mark.open == 0) }
                mark.open = mark.open.less(1)
                deliver(to: subscriber) {
                    let more = $0.receive(value)
                    mark.open = mark.open.adding(more)
                }
            case .end(let end):
                if mark.isLive { feed.accepted(event, unasked: false) }
                if mark.cancels == 0 { mark.isCompleted = true }
                self.end()
                deliver(to: subscriber) { $0.receive(completion: Subscribers.Completion(end)) }
            }
        }
    }

    /// Runs a closure with the subscriber; values that are sent meanwhile wait.
    fileprivate func deliver(to subscriber: any Subscriber<Int, Oops>, _ action: (any Subscriber<Int, Oops>) -> Void) {
        let wasSending = isSending
        isSending = true
        action(subscriber)
        isSending = wasSending
    }
}

extension Subscribers.Completion<Oops> {
    init(_ end: End) {
        switch end {
        case .finished: self = .finished
        case .failed(let error): self = .failure(error)
        }
    }
}

extension Int {
    /// The sum of two demands.
    func adding(_ demand: Subscribers.Demand) -> Int {
        guard let count = demand.max, self != .everything else { return .everything }
        return self + count
    }

    /// The remainder of a demand.
    func less(_ count: Int) -> Int { self == .everything ? self : Swift.max(0, self - count) }
}

/// The upstream of a row of the table: the feed itself, or the type-erased chain of another row.
enum Upstream: Publisher, @unchecked Sendable {
    // Sound: a run uses one thread.
    typealias Output = Int
    typealias Failure = Oops
    case feed(Feed)
    case erased(Ints)

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        switch self {
        case .feed(let feed): feed.receive(subscriber: subscriber)
        case .erased(let publisher): publisher.receive(subscriber: subscriber)
        }
    }

    // Forwarded, so that an operator checks the grammar of a feed, and trusts a publisher of the module.
    func _receive<S: Subscriber>(trusting subscriber: S, named name: StaticString, strict: Bool)
    where S.Input == Int, S.Failure == Oops {
        switch self {
        case .feed(let feed): feed._receive(trusting: subscriber, named: name, strict: strict)
        case .erased(let publisher): publisher._receive(trusting: subscriber, named: name, strict: strict)
        }
    }
}

/// A publisher that sends its values and finishes on subscription, regardless of demand.
struct Pushed: Publisher {
    typealias Output = Int
    typealias Failure = Oops
    let values: [Int]

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        subscriber.receive(subscription: Subscriptions.empty)
        for value in values { _ = subscriber.receive(value) }
        subscriber.receive(completion: .finished)
    }
}

import Streams

/// Two upstreams and a subscriber in every order, compared with models on plain lists.
enum Interleaving {
    /// An event of a run: an action of an upstream or of the subscriber.
    enum Happening: Equatable, CustomStringConvertible {
        case value(Int, by: Int)
        case finish(Int)
        case fail(Int)
        case request(Int)
        case cancel

        var description: String {
            switch self {
            case .value(let value, let feed): "\("ab".map { $0 }[feed])\(value)"
            case .finish(let feed): "finish \("ab".map { $0 }[feed])"
            case .fail(let feed): "fail \("ab".map { $0 }[feed])"
            case .request(let count): count == .max ? "request all" : "request \(count)"
            case .cancel: "cancel"
            }
        }

        var feed: Int? {
            switch self {
            case .value(_, let feed), .finish(let feed), .fail(let feed): feed
            default: nil
            }
        }

        var isEnd: Bool {
            switch self {
            case .finish, .fail: true
            default: false
            }
        }
    }

    /// A generated run.
    struct Script: CustomStringConvertible {
        /// The demand of the subscriber at the start, and for each value.
        var demand: Int
        var returned = 0
        /// Indicates whether upstreams wait for demand, instead of sending regardless.
        var waits = true
        /// The event during the delivery at a position.
        var inside: (position: Int, action: Happening)?
        var steps: [Happening]

        var description: String {
            "demand \(demand == .max ? "unlimited" : "\(demand)"), returning \(returned), upstreams \(waits ? "wait" : "push")"
                + (inside.map { ", inside \($0.position): \($0.action)" } ?? "") + ": \(steps)"
        }

        /// All interleavings of the actions of two upstreams and a subscriber, up to a length.
        static func all(_ letters: [Happening], upTo length: Int) -> [[Happening]] {
            var (words, longest): ([[Happening]], [[Happening]]) = ([[]], [[]])
            for _ in 0..<length {
                longest = longest.flatMap { word in letters.compactMap { extended(word, by: $0) } }
                words += longest
            }
            return words
        }

        private static func extended(_ word: [Happening], by letter: Happening) -> [Happening]? {
            if word.contains(.cancel) { return nil }
            guard let feed = letter.feed else { return word + [letter] }
            if word.contains(where: { $0.feed == feed && $0.isEnd }) { return nil }
            guard case .value = letter else { return word + [letter] }
            let count = word.count { $0.feed == feed }
            return word + [.value(count + 1 + feed * 10, by: feed)]
        }
    }

    /// Two hot upstreams that a script controls, with the events that they have sent and the requests of the subscriber, in
    /// order: the input of a model.
    final class Run {
        enum Entry {
            case value(Int, by: Int)
            case end(by: Int, failed: Bool)
            case request(Int)
        }

        let script: Script
        private(set) var entries: [Entry] = []
        private(set) var feeds: [Feed] = []

        init(_ script: Script) {
            self.script = script
            feeds = (0..<2).map { Feed(self, $0) }
        }

        func log(_ entry: Entry) { entries.append(entry) }

        /// One of the upstreams. Each subscription receives the later values.
        final class Feed: Publisher, @unchecked Sendable {
            // Sound: a run uses one thread.
            typealias Output = Int
            typealias Failure = Oops
            fileprivate unowned let run: Run
            fileprivate let number: Int
            private(set) var subscriptions: [Link] = []
            private(set) var made = 0

            fileprivate init(_ run: Run, _ number: Int) {
                self.run = run
                self.number = number
            }

            func receive<S: Subscriber<Int, Oops>>(subscriber: S) {
                let link = Link(self, AnySubscriber(subscriber))
                made += 1
                subscriptions.append(link)
                subscriber.receive(subscription: link)
            }

            func send(_ happening: Happening) { for link in subscriptions { link.add(happening) } }
            fileprivate func forget(_ link: Link) { subscriptions.removeAll { $0 === link } }
        }

        /// A subscription to a feed, of a type from outside the module.
        final class Link: Subscription {
            private let feed: Feed
            private var subscriber: AnySubscriber<Int, Oops>?
            private var waiting: [Happening] = []
            private(set) var open = 0
            private var isSending = false

            fileprivate init(_ feed: Feed, _ subscriber: AnySubscriber<Int, Oops>) {
                self.feed = feed
                self.subscriber = subscriber
            }

            fileprivate func add(_ happening: Happening) {
                waiting.append(happening)
                sendWhatMay()
            }

            func request(_ demand: Subscribers.Demand) {
                open = open.adding(demand)
                sendWhatMay()
            }

            func cancel() {
                subscriber = nil
                feed.forget(self)
            }

            private func sendWhatMay() {
                if isSending { return }
                isSending = true
                defer { isSending = false }
                while let subscriber, let next = waiting.first {
                    if case .value(let value, _) = next {
                        if open == 0, feed.run.script.waits { return }
                        waiting.removeFirst()
                        open = open.less(1)
                        feed.run.log(.value(value, by: feed.number))
                        open = open.adding(subscriber.receive(value))
                    } else {
                        waiting.removeFirst()
                        cancel()
                        feed.run.log(.end(by: feed.number, failed: next == .fail(feed.number)))
                        subscriber.receive(completion: next == .fail(feed.number) ? .failure(.first) : .finished)
                    }
                }
            }
        }
    }

    enum Ending { case finished, failed }

    /// The expected values of a subscriber.
    struct Expected<Value: Equatable>: Equatable, CustomStringConvertible {
        var values: [Value] = []
        var end: Ending?

        var description: String { "\(values), \(end.map { "\($0)" } ?? "goes on")" }
    }

    /// Runs a script with an operator, and compares after each step.
    static func complaint<P: Publisher, Value: Equatable>(
        _ script: Script, _ make: (Run.Feed, Run.Feed, Token) -> P, _ value: @escaping (P.Output) -> Value,
        _ model: ([Run.Entry]) -> Expected<Value>, asks: (_ wanted: Int, _ open: [Int?]) -> Bool
    ) -> String? where P.Failure == Oops {
        let run = Run(script)
        weak var token: Token?
        let observer = Observer<P.Output, Value>(run, value)
        do {
            let captured = Token()
            token = captured
            make(run.feeds[0], run.feeds[1], captured).subscribe(observer)
        }
        for count in 0...script.steps.count {
            if count > 0 { observer.perform(script.steps[count - 1]) }
            let place = "\(script)\n    after \(count) steps: "
            if let violation = observer.violation { return place + violation }
            var expected = model(run.entries)
            if let cancelled = observer.gotUntilCancel {
                expected = Expected(values: Array(expected.values.prefix(cancelled)), end: nil)
            }
            let got = Expected(values: observer.values, end: observer.end)
            if got != expected { return place + "expected \(expected), got \(got)" }
            let isOver = observer.end != nil || observer.gotUntilCancel != nil
            let open = run.feeds.map { $0.subscriptions.last?.open }
            // An upstream that has served its demand cannot send more.
            if isOver, open.contains(where: { $0 ?? 0 > 0 }) { return place + "an upstream runs on" }
            if isOver, token != nil { return place + "closures are kept" }
            if !isOver, observer.open > 0, !asks(observer.open, open) {
                return place + "waits for \(observer.open), and upstreams were left with \(open)"
            }
        }
        return nil
    }

    /// A subscriber that follows a script.
    final class Observer<Input, Value>: Subscriber {
        typealias Failure = Oops
        private let run: Run
        private let value: (Input) -> Value
        private var subscription: (any Subscription)?
        private var isReceiving = false
        private(set) var values: [Value] = []
        private(set) var end: Ending?
        private(set) var open = 0
        private(set) var violation: String?
        /// The number of values before the cancellation.
        private(set) var gotUntilCancel: Int?

        init(_ run: Run, _ value: @escaping (Input) -> Value) {
            self.run = run
            self.value = value
        }

        func perform(_ happening: Happening) {
            switch happening {
            case .request(let count):
                guard end == nil, gotUntilCancel == nil else { return }
                ask(count)
            case .cancel:
                if end == nil, gotUntilCancel == nil { gotUntilCancel = values.count }
                subscription?.cancel()
            default: if let feed = happening.feed { run.feeds[feed].send(happening) }
            }
        }

        private func ask(_ count: Int) {
            run.log(.request(count))
            let demand: Subscribers.Demand = count == .max ? .unlimited : .max(count)
            open = open.adding(demand)
            subscription?.request(demand)
        }

        func receive(subscription: any Subscription) {
            if self.subscription != nil { violation = "a second subscription" }
            self.subscription = subscription
            if run.script.demand > 0 { ask(run.script.demand) }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            if isReceiving { violation = "a value inside a delivery" }
            if end != nil { violation = "a value after the end" }
            if gotUntilCancel != nil { violation = "a value after cancel" }
            if open == 0, run.script.waits { violation = "a value without demand" }
            open = open.less(1)
            values.append(value(input))
            isReceiving = true
            if let inside = run.script.inside, inside.position == values.count - 1 { perform(inside.action) }
            isReceiving = false
            if run.script.returned > 0 { run.log(.request(run.script.returned)) }
            open = open.adding(.max(run.script.returned))
            return .max(run.script.returned)
        }

        func receive(completion: Subscribers.Completion<Oops>) {
            if isReceiving { violation = "the end inside a delivery" }
            if end != nil { violation = "a second end" }
            if gotUntilCancel != nil { violation = "an end after cancel" }
            if subscription == nil { violation = "an end before the subscription" }
            end = completion.error == nil ? .finished : .failed
        }
    }
}

import Streams

/// A publisher from outside the module that sends its first subscriber given events, even against the grammar.
final class BrokenSource: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Oops

    enum Event: Sendable {
        case value(Int)
        case end(Subscribers.Completion<Oops>)
    }

    private let state = Lock(State())

    private struct State: @unchecked Sendable {
        // Sound: behind the lock.
        var subscriber: AnySubscriber<Int, Oops>?
        var demand = Subscribers.Demand.none
    }

    private struct Link: Subscription {
        let combineIdentifier = CombineIdentifier()
        let take: @Sendable (Subscribers.Demand) -> Void
        func request(_ demand: Subscribers.Demand) { take(demand) }
        func cancel() {}
    }

    /// The demand that has not been served.
    var demand: Subscribers.Demand { state.withLock { $0.demand } }

    /// Indicates whether there is a subscriber.
    var isSubscribed: Bool { state.withLock { $0.subscriber != nil } }

    func receive<S: Subscriber<Int, Oops>>(subscriber: S) {
        let carrier = Carrier(AnySubscriber(subscriber))
        let isFirst = state.withLock { state in
            defer { state.subscriber = state.subscriber ?? carrier.value }
            return state.subscriber == nil
        }
        subscriber.receive(
            subscription: Link { [self] more in
                if isFirst { state.withLock { $0.demand += more } }
            })
    }

    func send(_ event: Event) {
        guard let subscriber = state.withLock({ Carrier($0.subscriber) }).value else { return }
        switch event {
        case .value(let value):
            state.withLock { $0.demand -= 1 }
            let more = subscriber.receive(value)
            state.withLock { $0.demand += more }
        case .end(let completion): subscriber.receive(completion: completion)
        }
    }
}

/// An operator, or a part of one, on a source that violates the grammar. The source is not erased, as the erasure would check its
/// events.
struct BrokenCase: @unchecked Sendable, CustomStringConvertible {
    // Sound: the closures capture nothing but constants and types.
    let description: String
    let apply: (BrokenSource, VirtualTimeScheduler) -> AnyPublisher<String, any Error>

    init<P: Publisher>(_ name: String, _ apply: @escaping (BrokenSource, VirtualTimeScheduler) -> P) {
        description = name
        self.apply = { AnyPublisher(apply($0, $1).map { "\($0)" }.mapError { $0 as any Error }) }
    }

    static let all = transforming + cutting + reducing + passing + combining + flattening + timed

    private static let open = Empty<Int, Oops>(completeImmediately: false)
    private static let few = OperatorCase.sequence([70, 71])

    private static let transforming: [BrokenCase] = [
        .init("map") { up, _ in up.map { $0 + 1 } },
        .init("map to a key path") { up, _ in up.map(\.description) },
        .init("tryMap") { up, _ in up.tryMap { $0 + 1 } },
        .init("mapTo") { up, _ in up.mapTo(5) },
        .init("compactMap") { up, _ in up.compactMap { $0 } },
        .init("tryCompactMap") { up, _ in up.tryCompactMap { $0 } },
        .init("mapError") { up, _ in up.mapError { $0 } },
        .init("setFailureType") { up, _ in up.replaceError(with: 5).setFailureType(to: Oops.self) },
        .init("replaceNil") { up, _ in up.map { Optional($0) }.replaceNil(with: 5) },
        .init("scan") { up, _ in up.scan(0, +) },
        .init("tryScan") { up, _ in up.tryScan(0) { $0 + $1 } },
        .init("filter") { up, _ in up.filter { _ in true } },
        .init("tryFilter") { up, _ in up.tryFilter { _ in true } },
        .init("removeDuplicates") { up, _ in up.removeDuplicates() },
        .init("tryRemoveDuplicates") { up, _ in up.tryRemoveDuplicates { $0 == $1 } },
        .init("replaceEmpty") { up, _ in up.replaceEmpty(with: 5) },
        .init("replaceError") { up, _ in up.replaceError(with: 5) },
        .init("asResult") { up, _ in up.asResult() },
        .init("encode") { up, _ in up.encode(encoder: Plain(token: Token())) },
        .init("decode") { up, _ in up.map { "\($0)" }.decode(type: Int.self, decoder: Plain(token: Token())) },
    ]

    private static let cutting: [BrokenCase] = [
        .init("first") { up, _ in up.first() },
        .init("first where") { up, _ in up.first { $0 != 1 } },
        .init("tryFirst") { up, _ in up.tryFirst { $0 != 1 } },
        .init("last") { up, _ in up.last() },
        .init("last where") { up, _ in up.last { _ in true } },
        .init("tryLast") { up, _ in up.tryLast { _ in true } },
        .init("output") { up, _ in up.output(at: 1) },
        .init("output in") { up, _ in up.output(in: 0...Int.max) },
        .init("prefix") { up, _ in up.prefix(2) },
        .init("prefix while") { up, _ in up.prefix { $0 > 0 } },
        .init("tryPrefix") { up, _ in up.tryPrefix { $0 > 0 } },
        .init("prefix until") { up, _ in up.prefix(untilOutputFrom: open) },
        .init("prefix until the source") { up, _ in few.merge(with: open).prefix(untilOutputFrom: up) },
        .init("drop") { up, _ in up.drop { $0 > 0 } },
        .init("dropFirst") { up, _ in up.dropFirst() },
        .init("tryDrop") { up, _ in up.tryDrop { $0 > 0 } },
        .init("drop until") { up, _ in up.drop(untilOutputFrom: few) },
        .init("drop until the source") { up, _ in few.merge(with: open).drop(untilOutputFrom: up) },
    ]

    private static let reducing: [BrokenCase] = [
        .init("count") { up, _ in up.count() },
        .init("min") { up, _ in up.min() },
        .init("max") { up, _ in up.max() },
        .init("tryMin") { up, _ in up.tryMin { $0 < $1 } },
        .init("tryMax") { up, _ in up.tryMax { $0 < $1 } },
        .init("reduce") { up, _ in up.reduce(0, +) },
        .init("tryReduce") { up, _ in up.tryReduce(0) { $0 + $1 } },
        .init("contains") { up, _ in up.contains(-1) },
        .init("contains where") { up, _ in up.contains { $0 < 0 } },
        .init("tryContains") { up, _ in up.tryContains { $0 < 0 } },
        .init("allSatisfy") { up, _ in up.allSatisfy { $0 > 0 } },
        .init("tryAllSatisfy") { up, _ in up.tryAllSatisfy { $0 > 0 } },
        .init("ignoreOutput") { up, _ in up.ignoreOutput() },
        .init("collect") { up, _ in up.collect() },
        .init("collect count") { up, _ in up.collect(2) },
    ]

    private static let passing: [BrokenCase] = [
        .init("handleEvents") { up, _ in up.handleEvents() },
        .init("print") { up, _ in up.print("", to: Silence()) },
        .init("breakpoint") { up, _ in up.breakpoint() },
        .init("breakpointOnError") { up, _ in up.replaceError(with: 5).breakpointOnError() },
        .init("assertNoFailure") { up, _ in up.replaceError(with: 5).assertNoFailure() },
        .init("eraseToAnyPublisher") { up, _ in up.eraseToAnyPublisher() },
        .init("a publisher that is deferred") { up, _ in Deferred { up } },
        .init("share") { up, _ in up.share() },
        .init("share with replay") { up, _ in up.share(replay: 1) },
        .init("multicast") { up, _ in up.multicast { PassthroughSubject() }.autoconnect() },
        .init("makeConnectable") { up, _ in up.replaceError(with: 5).makeConnectable().autoconnect() },
        .init("subscribe a subject") { up, _ in
            let subject = PassthroughSubject<Int, Oops>()
            let feeding = UncheckedTransfer(up.subscribe(subject))
            return subject.handleEvents(receiveCancel: { feeding.value.cancel() })
        },
        .init("buffer that drops the newest") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest) },
        .init("buffer that drops the oldest") { up, _ in up.buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest) },
        .init("buffer that fails") { up, _ in
            up.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .second })
        },
    ]

    private static let combining: [BrokenCase] = [
        .init("append") { up, _ in up.append(70, 71) },
        .init("append the source") { up, _ in few.append(up) },
        .init("prepend") { up, _ in up.prepend(70, 71) },
        .init("prepend the source") { up, _ in few.prepend(up) },
        .init("merge") { up, _ in up.merge(with: few) },
        .init("merge with an open one") { up, _ in open.merge(with: up) },
        .init("merge many") { up, _ in Publishers.MergeMany(up) },
        .init("zip") { up, _ in up.zip(few) },
        .init("zip with the source") { up, _ in few.zip(open.merge(with: few), up) },
        .init("combineLatest") { up, _ in up.combineLatest(few) },
        .init("combineLatest with the source") { up, _ in few.combineLatest(few.merge(with: open), up) },
        .init("withLatestFrom") { up, _ in up.withLatestFrom(few) { "\($0) \($1)" } },
        .init("withLatestFrom the source") { up, _ in few.merge(with: open).withLatestFrom(up) { "\($0) \($1)" } },
    ]

    private static let flattening: [BrokenCase] = [
        .init("flatMap") { up, _ in up.flatMap { Publishers.Sequence<[Int], Oops>(sequence: [$0, $0]) } },
        .init("flatMap of one at a time") { up, _ in up.flatMap(maxPublishers: .max(1)) { _ in open } },
        .init("flatMap to the source") { up, _ in few.prefix(1).flatMap { _ in up } },
        .init("flatMapLatest") { up, _ in up.flatMapLatest { Publishers.Sequence<[Int], Oops>(sequence: [$0, $0]) } },
        .init("flatMapLatest to the source") { up, _ in few.prefix(1).flatMapLatest { _ in up } },
        .init("switchToLatest") { up, _ in up.map { _ in open }.switchToLatest() },
        .init("switchToLatest of the source") { up, _ in few.prefix(1).merge(with: open).map { _ in up }.switchToLatest() },
        .init("catch") { up, _ in up.catch { _ in few } },
        .init("catch with the source") { up, _ in Fail<Int, Oops>(error: .second).catch { _ in up } },
        .init("tryCatch") { up, _ in up.tryCatch { _ in few } },
        .init("retry") { up, _ in up.retry(1) },
        .init("retry after a delay") { up, time in up.retry(1, scheduler: time) { _, _ in 3 } },
    ]

    private static let timed: [BrokenCase] = [
        .init("debounce") { up, time in up.debounce(for: .nanoseconds(3), scheduler: time) },
        .init("throttle to the first") { up, time in up.throttle(for: .nanoseconds(3), scheduler: time, latest: false) },
        .init("throttle to the latest") { up, time in up.throttle(for: .nanoseconds(3), scheduler: time, latest: true) },
        .init("delay") { up, time in up.delay(for: .nanoseconds(3), scheduler: time) },
        .init("timeout") { up, time in up.timeout(.nanoseconds(3), scheduler: time) },
        .init("timeout with an error") { up, time in up.timeout(.nanoseconds(3), scheduler: time) { .second } },
        .init("measureInterval") { up, time in up.measureInterval(using: time) },
        .init("receive") { up, time in up.receive(on: time) },
        .init("subscribe") { up, time in up.subscribe(on: time) },
        .init("collect by time") { up, time in up.collect(.byTime(time, .nanoseconds(3))) },
        .init("collect by time or count") { up, time in up.collect(.byTimeOrCount(time, .nanoseconds(3), 2)) },
    ]
}

import StreamLimits
import Streams

/// An operator with values, errors and closures that look for locks.
struct ProbedOperator: @unchecked Sendable, CustomStringConvertible {
    // Sound: the closures capture nothing but constants and types.
    let description: String
    let apply: (Probes, ProbeKit) -> Probes

    init<P: Publisher<Probe, ProbeError>>(_ name: String, _ apply: @escaping (Probes, ProbeKit) -> P) {
        description = name
        self.apply = { AnyPublisher(apply($0, $1)) }
    }

    /// For one that fails otherwise.
    init<P: Publisher<Probe, any Error>>(trying name: String, _ apply: @escaping (Probes, ProbeKit) -> P) {
        self.init(name) { up, kit in apply(up, kit).mapError { $0 as? ProbeError ?? kit.watch.error(90) } }
    }

    /// For one that cannot fail.
    init<P: Publisher<Probe, Never>>(safe name: String, _ apply: @escaping (Probes, ProbeKit) -> P) {
        self.init(name) { up, kit in apply(up, kit).setFailureType(to: ProbeError.self) }
    }

    static let all = transforming + cutting + joining + keeping + timed + sharing

    private static let transforming: [ProbedOperator] = [
        .init("map") { up, kit in up.map { [held = kit.probe(50)] in held.pass($0.plus(1)) } },
        .init(trying: "tryMap") { up, kit in
            up.tryMap { (one) throws(any Error) -> Probe in
                if one.number == 3 { throw kit.watch.error(60) }
                return one
            }
        },
        .init("mapTo") { up, kit in up.mapTo(kit.probe(51)) },
        .init("compactMap") { up, kit in up.compactMap { [held = kit.probe(50)] in held.pass($0.number == 2 ? nil : $0) } },
        .init(trying: "tryCompactMap") { up, _ in
            up.tryCompactMap { (one) throws(any Error) -> Probe? in one.number == 2 ? nil : one }
        },
        .init("mapError") { up, kit in up.mapError { [held = kit.probe(50)] in held.pass(ProbeError(probe: $0.probe.copy)) } },
        .init("setFailureType") { up, kit in up.replaceError(with: kit.probe(52)).setFailureType(to: ProbeError.self) },
        .init("replaceNil") { up, kit in
            up.map { $0.number == 2 ? Probe?.none : $0 }.replaceNil(with: kit.probe(52)).compactMap { $0 }
        },
        .init("scan") { up, kit in up.scan(kit.probe(0)) { $0.plus($1.number) } },
        .init(trying: "tryScan") { up, kit in up.tryScan(kit.probe(0)) { (sum, one) throws(any Error) in sum.plus(one.number) } },
        .init("filter") { up, kit in up.filter { [held = kit.probe(50)] in held.pass($0.number != 2) } },
        .init(trying: "tryFilter") { up, _ in up.tryFilter { (one) throws(any Error) in one.number != 2 } },
        .init("removeDuplicates") { up, _ in up.removeDuplicates() },
        .init("removeDuplicates by") { up, kit in up.removeDuplicates { [held = kit.probe(50)] in held.pass($0 == $1) } },
        .init(trying: "tryRemoveDuplicates") { up, _ in up.tryRemoveDuplicates { (one, other) throws(any Error) in one == other }
        },
        .init("replaceEmpty") { up, kit in up.filter { $0.number > 99 }.replaceEmpty(with: kit.probe(52)) },
        .init(safe: "replaceError") { up, kit in up.replaceError(with: kit.probe(52)) },
        .init("asResult") { up, kit in
            up.asResult().map { (try? $0.get()) ?? kit.probe(53) }.setFailureType(to: ProbeError.self)
        },
        .init("count") { up, kit in up.count().map { kit.probe($0) } },
        .init("min") { up, _ in up.min() },
        .init("max") { up, _ in up.max() },
        .init(trying: "tryMin") { up, _ in up.tryMin { (one, other) throws(any Error) in one < other } },
        .init(trying: "tryMax") { up, _ in up.tryMax { (one, other) throws(any Error) in one < other } },
        .init("reduce") { up, kit in up.reduce(kit.probe(0)) { $0.plus($1.number) } },
        .init(trying: "tryReduce") { up, kit in
            up.tryReduce(kit.probe(0)) { (sum, one) throws(any Error) in sum.plus(one.number) }
        },
        .init("contains") { up, kit in up.contains(kit.probe(2)).map { kit.probe($0 ? 1 : 0) } },
        .init("contains where") { up, kit in up.contains { $0.number == 2 }.map { kit.probe($0 ? 1 : 0) } },
        .init(trying: "tryContains") { up, kit in
            up.tryContains { (one) throws(any Error) in one.number == 2 }.map { kit.probe($0 ? 1 : 0) }
        },
        .init("allSatisfy") { up, kit in up.allSatisfy { $0.number < 3 }.map { kit.probe($0 ? 1 : 0) } },
        .init(trying: "tryAllSatisfy") { up, kit in
            up.tryAllSatisfy { (one) throws(any Error) in one.number < 3 }.map { kit.probe($0 ? 1 : 0) }
        },
        .init("ignoreOutput") { up, kit in up.ignoreOutput().collect().map { kit.probe($0.count) } },
        .init("collect") { up, kit in up.collect().map { $0.last ?? kit.probe(0) } },
        .init("collect count") { up, kit in up.collect(2).map { $0.last ?? kit.probe(0) } },
        .init("handleEvents") { up, kit in
            let held = kit.probe(50)
            return up.handleEvents(
                receiveSubscription: { _ in held.pass(()) }, receiveOutput: { _ in held.pass(()) },
                receiveCompletion: { _ in held.pass(()) }, receiveCancel: { held.pass(()) },
                receiveRequest: { _ in held.pass(()) })
        },
        .init("print") { up, kit in up.print("probe", to: ProbeStream(held: kit.probe(50))) },
        .init("breakpoint") { up, kit in up.breakpoint(receiveOutput: { [held = kit.probe(50)] _ in held.pass(false) }) },
        .init("breakpointOnError") { up, _ in up.map { $0 }.mapError { $0 } },
        .init("assertNoFailure") { up, kit in
            up.replaceError(with: kit.probe(52)).assertNoFailure().setFailureType(to: ProbeError.self)
        },
        .init("eraseToAnyPublisher") { up, _ in up.map { $0 }.eraseToAnyPublisher().eraseToAnyPublisher() },
    ]

    private static let cutting: [ProbedOperator] = [
        .init("first") { up, _ in up.first() },
        .init("first where") { up, kit in up.first { [held = kit.probe(50)] in held.pass($0.number == 2) } },
        .init(trying: "tryFirst") { up, _ in up.tryFirst { (one) throws(any Error) in one.number == 2 } },
        .init("last") { up, _ in up.last() },
        .init("last where") { up, _ in up.last { $0.number < 3 } },
        .init(trying: "tryLast") { up, _ in up.tryLast { (one) throws(any Error) in one.number < 3 } },
        .init("output") { up, _ in up.output(at: 1) },
        .init("output in") { up, _ in up.output(in: 1...2) },
        .init("prefix") { up, _ in up.prefix(2) },
        .init("prefix while") { up, _ in up.prefix { $0.number < 3 } },
        .init(trying: "tryPrefix") { up, _ in up.tryPrefix { (one) throws(any Error) in one.number < 3 } },
        .init("prefix until") { up, kit in up.prefix(untilOutputFrom: kit.other) },
        .init("drop") { up, _ in up.drop { $0.number < 2 } },
        .init("dropFirst") { up, _ in up.dropFirst() },
        .init(trying: "tryDrop") { up, _ in up.tryDrop { (one) throws(any Error) in one.number < 2 } },
        .init("drop until") { up, kit in up.drop(untilOutputFrom: kit.other) },
    ]

    private static let joining: [ProbedOperator] = [
        .init("append") { up, kit in up.append(kit.probe(70), kit.probe(71)) },
        .init("append a publisher") { up, kit in up.append(kit.other) },
        .init("prepend") { up, kit in up.prepend(kit.probe(70)) },
        .init("prepend a publisher") { up, kit in up.prepend(kit.other.prefix(1)) },
        .init("merge") { up, kit in up.merge(with: kit.other) },
        .init("merge many") { up, kit in Publishers.MergeMany(up, AnyPublisher(kit.other), up) },
        .init("zip") { up, kit in up.zip(kit.other).map { $0.plus($1.number) } },
        .init("zip of three") { up, kit in up.zip(kit.other, up) { one, _, _ in one } },
        .init("combineLatest") { up, kit in up.combineLatest(kit.other).map { $0.plus($1.number) } },
        .init("combineLatest of three") { up, kit in up.combineLatest(kit.other, up) { one, _, _ in one } },
        .init("withLatestFrom") { up, kit in up.withLatestFrom(kit.other) { $0.plus($1.number) } },
        .init("flatMap") { up, kit in
            up.flatMap { one in [one, kit.probe(70)].publisher.setFailureType(to: ProbeError.self).merge(with: kit.other) }
        },
        .init("flatMap of one at a time") { up, kit in
            up.flatMap(maxPublishers: .max(1)) { one in kit.other.prefix(1).map { $0.plus(one.number) } }
        },
        .init("flatMapLatest") { up, kit in up.flatMapLatest { one in kit.other.map { $0.plus(one.number) } } },
        .init("switchToLatest") { up, kit in up.map { one in kit.other.map { $0.plus(one.number) } }.switchToLatest() },
        .init("catch") { up, kit in up.catch { error in Just(error.probe).setFailureType(to: ProbeError.self).append(kit.other) }
        },
        .init(trying: "tryCatch") { up, kit in
            up.tryCatch { (error) throws(any Error) in kit.other.prepend(error.probe) }
        },
        .init("retry") { up, _ in up.retry(1) },
    ]

    private static let keeping: [ProbedOperator] = [
        .init("buffer that drops the newest") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest) },
        .init("buffer that drops the oldest") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) },
        .init("buffer that fails") { up, kit in
            up.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { [held = kit.probe(50)] in ProbeError(probe: held) })
        },
        .init("buffer that is kept full") { up, _ in up.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest) },
    ]

    private static let timed: [ProbedOperator] = [
        .init("debounce") { up, kit in up.debounce(for: 10, scheduler: kit.time) },
        .init("throttle to the first") { up, kit in up.throttle(for: 10, scheduler: kit.time, latest: false) },
        .init("throttle to the latest") { up, kit in up.throttle(for: 10, scheduler: kit.time, latest: true) },
        .init("delay") { up, kit in up.delay(for: 10, scheduler: kit.time) },
        .init("timeout") { up, kit in up.timeout(10, scheduler: kit.time, customError: { kit.watch.error(61) }) },
        .init("measureInterval") { up, kit in up.measureInterval(using: kit.time).map { _ in kit.probe(0) } },
        .init("receive") { up, kit in up.receive(on: kit.time) },
        .init("subscribe") { up, kit in up.subscribe(on: kit.time) },
        .init("limited") { up, kit in
            let limiter = RateLimiter(count: 1, per: 10, on: kit.time)
            return up.limited(by: limiter).merge(with: up.limited(by: limiter))
        },
        .init("limited with refusals") { up, kit in
            let limiter = RateLimiter(count: 1, per: 10, on: kit.time)
            let refused = up.limited(by: limiter, waiting: 0) { [held = kit.probe(50)] _ in held.pass(kit.watch.error(62)) }
            return up.limited(by: limiter).merge(with: refused)
        },
        .init("protected") { up, kit in
            let breaker = CircuitBreaker(failures: 1, resetAfter: 10, on: kit.time)
            let asked = up.protected(by: breaker) { [held = kit.probe(50)] _ in held.pass(kit.watch.error(62)) }
            return asked.catch { _ in asked }
        },
        .init("collect by time") { up, kit in up.collect(.byTime(kit.time, 10)).map { $0.last ?? kit.probe(0) } },
        .init("collect by time or count") { up, kit in
            up.collect(.byTimeOrCount(kit.time, 10, 2)).map { $0.last ?? kit.probe(0) }
        },
    ]

    private static let sharing: [ProbedOperator] = [
        .init("share") { up, kit in
            let shared = up.share()
            return shared.merge(with: shared)
        },
        .init("share with replay") { up, kit in
            let shared = up.share(replay: 1)
            return shared.merge(with: kit.other.flatMap { _ in shared })
        },
        .init("share again") { up, kit in
            let shared = up.share(replay: 2)
            return shared.prefix(1).append(shared)
        },
        .init("multicast") { up, kit in up.multicast { CurrentValueSubject<Probe, ProbeError>(kit.probe(70)) }.autoconnect() },
        .init("makeConnectable") { up, kit in
            up.replaceError(with: kit.probe(52)).makeConnectable().autoconnect().setFailureType(to: ProbeError.self)
        },
        .init("subscribe a subject") { up, kit in
            let subject = CurrentValueSubject<Probe, ProbeError>(kit.probe(70))
            let feeding = UncheckedTransfer((up.subscribe(subject), kit.other.subscribe(subject)))
            return subject.handleEvents(receiveCancel: {
                feeding.value.0.cancel()
                feeding.value.1.cancel()
            })
        },
    ]
}

private struct ProbeStream: TextOutputStream {
    let held: Probe
    mutating func write(_ text: String) { held.pass(()) }
}

import StreamLimits
import Streams

/// An operator with values, errors and closures that check for held locks.
struct ProbedOperator: @unchecked Sendable, CustomStringConvertible {
    // Sound: the closures capture nothing but constants and types.
    let description: String
    let apply: (Probes, ProbeParts) -> Probes

    init<P: Publisher<Probe, ProbeError>>(_ name: String, _ apply: @escaping (Probes, ProbeParts) -> P) {
        description = name
        self.apply = { AnyPublisher(apply($0, $1)) }
    }

    /// Creates an operator with another failure type.
    init<P: Publisher<Probe, any Error>>(trying name: String, _ apply: @escaping (Probes, ProbeParts) -> P) {
        self.init(name) { up, parts in apply(up, parts).mapError { $0 as? ProbeError ?? parts.watch.error(90) } }
    }

    /// Creates an operator that cannot fail.
    init<P: Publisher<Probe, Never>>(safe name: String, _ apply: @escaping (Probes, ProbeParts) -> P) {
        self.init(name) { up, parts in apply(up, parts).setFailureType(to: ProbeError.self) }
    }

    static let all = transforming + cutting + joining + keeping + timed + sharing

    private static let transforming: [ProbedOperator] = [
        .init("map") { up, parts in up.map { [held = parts.probe(50)] in held.pass($0.plus(1)) } },
        .init(trying: "tryMap") { up, parts in
            up.tryMap { (one) throws(any Error) -> Probe in
                if one.number == 3 { throw parts.watch.error(60) }
                return one
            }
        },
        .init("mapTo") { up, parts in up.mapTo(parts.probe(51)) },
        .init("compactMap") { up, parts in up.compactMap { [held = parts.probe(50)] in held.pass($0.number == 2 ? nil : $0) } },
        .init(trying: "tryCompactMap") { up, _ in
            up.tryCompactMap { (one) throws(any Error) -> Probe? in one.number == 2 ? nil : one }
        },
        .init("mapError") { up, parts in up.mapError { [held = parts.probe(50)] in held.pass(ProbeError(probe: $0.probe.copy)) }
        },
        .init("setFailureType") { up, parts in up.replaceError(with: parts.probe(52)).setFailureType(to: ProbeError.self) },
        .init("replaceNil") { up, parts in
            up.map { $0.number == 2 ? Probe?.none : $0 }.replaceNil(with: parts.probe(52)).compactMap { $0 }
        },
        .init("scan") { up, parts in up.scan(parts.probe(0)) { $0.plus($1.number) } },
        .init(trying: "tryScan") { up, parts in
            up.tryScan(parts.probe(0)) { (sum, one) throws(any Error) in sum.plus(one.number) }
        },
        .init("filter") { up, parts in up.filter { [held = parts.probe(50)] in held.pass($0.number != 2) } },
        .init(trying: "tryFilter") { up, _ in up.tryFilter { (one) throws(any Error) in one.number != 2 } },
        .init("removeDuplicates") { up, _ in up.removeDuplicates() },
        .init("removeDuplicates by") { up, parts in up.removeDuplicates { [held = parts.probe(50)] in held.pass($0 == $1) } },
        .init(trying: "tryRemoveDuplicates") { up, _ in up.tryRemoveDuplicates { (one, other) throws(any Error) in one == other }
        },
        .init("replaceEmpty") { up, parts in up.filter { $0.number > 99 }.replaceEmpty(with: parts.probe(52)) },
        .init(safe: "replaceError") { up, parts in up.replaceError(with: parts.probe(52)) },
        .init("asResult") { up, parts in
            up.asResult().map { (try? $0.get()) ?? parts.probe(53) }.setFailureType(to: ProbeError.self)
        },
        .init("count") { up, parts in up.count().map { parts.probe($0) } },
        .init("min") { up, _ in up.min() },
        .init("max") { up, _ in up.max() },
        .init(trying: "tryMin") { up, _ in up.tryMin { (one, other) throws(any Error) in one < other } },
        .init(trying: "tryMax") { up, _ in up.tryMax { (one, other) throws(any Error) in one < other } },
        .init("reduce") { up, parts in up.reduce(parts.probe(0)) { $0.plus($1.number) } },
        .init(trying: "tryReduce") { up, parts in
            up.tryReduce(parts.probe(0)) { (sum, one) throws(any Error) in sum.plus(one.number) }
        },
        .init("contains") { up, parts in up.contains(parts.probe(2)).map { parts.probe($0 ? 1 : 0) } },
        .init("contains where") { up, parts in up.contains { $0.number == 2 }.map { parts.probe($0 ? 1 : 0) } },
        .init(trying: "tryContains") { up, parts in
            up.tryContains { (one) throws(any Error) in one.number == 2 }.map { parts.probe($0 ? 1 : 0) }
        },
        .init("allSatisfy") { up, parts in up.allSatisfy { $0.number < 3 }.map { parts.probe($0 ? 1 : 0) } },
        .init(trying: "tryAllSatisfy") { up, parts in
            up.tryAllSatisfy { (one) throws(any Error) in one.number < 3 }.map { parts.probe($0 ? 1 : 0) }
        },
        .init("ignoreOutput") { up, parts in up.ignoreOutput().collect().map { parts.probe($0.count) } },
        .init("collect") { up, parts in up.collect().map { $0.last ?? parts.probe(0) } },
        .init("collect count") { up, parts in up.collect(2).map { $0.last ?? parts.probe(0) } },
        .init("handleEvents") { up, parts in
            let held = parts.probe(50)
            return up.handleEvents(
                receiveSubscription: { _ in held.pass(()) }, receiveOutput: { _ in held.pass(()) },
                receiveCompletion: { _ in held.pass(()) }, receiveCancel: { held.pass(()) },
                receiveRequest: { _ in held.pass(()) })
        },
        .init("print") { up, parts in up.print("probe", to: ProbeStream(held: parts.probe(50))) },
        .init("breakpoint") { up, parts in up.breakpoint(receiveOutput: { [held = parts.probe(50)] _ in held.pass(false) }) },
        .init("breakpointOnError") { up, _ in up.map { $0 }.mapError { $0 } },
        .init("assertNoFailure") { up, parts in
            up.replaceError(with: parts.probe(52)).assertNoFailure().setFailureType(to: ProbeError.self)
        },
        .init("eraseToAnyPublisher") { up, _ in up.map { $0 }.eraseToAnyPublisher().eraseToAnyPublisher() },
    ]

    private static let cutting: [ProbedOperator] = [
        .init("first") { up, _ in up.first() },
        .init("first where") { up, parts in up.first { [held = parts.probe(50)] in held.pass($0.number == 2) } },
        .init(trying: "tryFirst") { up, _ in up.tryFirst { (one) throws(any Error) in one.number == 2 } },
        .init("last") { up, _ in up.last() },
        .init("last where") { up, _ in up.last { $0.number < 3 } },
        .init(trying: "tryLast") { up, _ in up.tryLast { (one) throws(any Error) in one.number < 3 } },
        .init("output") { up, _ in up.output(at: 1) },
        .init("output in") { up, _ in up.output(in: 1...2) },
        .init("prefix") { up, _ in up.prefix(2) },
        .init("prefix while") { up, _ in up.prefix { $0.number < 3 } },
        .init(trying: "tryPrefix") { up, _ in up.tryPrefix { (one) throws(any Error) in one.number < 3 } },
        .init("prefix until") { up, parts in up.prefix(untilOutputFrom: parts.other) },
        .init("drop") { up, _ in up.drop { $0.number < 2 } },
        .init("dropFirst") { up, _ in up.dropFirst() },
        .init(trying: "tryDrop") { up, _ in up.tryDrop { (one) throws(any Error) in one.number < 2 } },
        .init("drop until") { up, parts in up.drop(untilOutputFrom: parts.other) },
    ]

    private static let joining: [ProbedOperator] = [
        .init("append") { up, parts in up.append(parts.probe(70), parts.probe(71)) },
        .init("append a publisher") { up, parts in up.append(parts.other) },
        .init("prepend") { up, parts in up.prepend(parts.probe(70)) },
        .init("prepend a publisher") { up, parts in up.prepend(parts.other.prefix(1)) },
        .init("merge") { up, parts in up.merge(with: parts.other) },
        .init("merge many") { up, parts in Publishers.MergeMany(up, AnyPublisher(parts.other), up) },
        .init("zip") { up, parts in up.zip(parts.other).map { $0.plus($1.number) } },
        .init("zip of three") { up, parts in up.zip(parts.other, up) { one, _, _ in one } },
        .init("combineLatest") { up, parts in up.combineLatest(parts.other).map { $0.plus($1.number) } },
        .init("combineLatest of three") { up, parts in up.combineLatest(parts.other, up) { one, _, _ in one } },
        .init("withLatestFrom") { up, parts in up.withLatestFrom(parts.other) { $0.plus($1.number) } },
        .init("flatMap") { up, parts in
            up.flatMap { one in [one, parts.probe(70)].publisher.setFailureType(to: ProbeError.self).merge(with: parts.other) }
        },
        .init("flatMap of one at a time") { up, parts in
            up.flatMap(maxPublishers: .max(1)) { one in parts.other.prefix(1).map { $0.plus(one.number) } }
        },
        .init("flatMapLatest") { up, parts in up.flatMapLatest { one in parts.other.map { $0.plus(one.number) } } },
        .init("switchToLatest") { up, parts in up.map { one in parts.other.map { $0.plus(one.number) } }.switchToLatest() },
        .init("catch") { up, parts in
            up.catch { error in Just(error.probe).setFailureType(to: ProbeError.self).append(parts.other) }
        },
        .init(trying: "tryCatch") { up, parts in
            up.tryCatch { (error) throws(any Error) in parts.other.prepend(error.probe) }
        },
        .init("retry") { up, _ in up.retry(1) },
    ]

    private static let keeping: [ProbedOperator] = [
        .init("buffer that drops the newest") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest) },
        .init("buffer that drops the oldest") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) },
        .init("buffer that fails") { up, parts in
            up.buffer(
                size: 1, prefetch: .byRequest, whenFull: .customError { [held = parts.probe(50)] in ProbeError(probe: held) })
        },
        .init("buffer that is kept full") { up, _ in up.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest) },
    ]

    private static let timed: [ProbedOperator] = [
        .init("debounce") { up, parts in up.debounce(for: 10, scheduler: parts.time) },
        .init("throttle to the first") { up, parts in up.throttle(for: 10, scheduler: parts.time, latest: false) },
        .init("throttle to the latest") { up, parts in up.throttle(for: 10, scheduler: parts.time, latest: true) },
        .init("delay") { up, parts in up.delay(for: 10, scheduler: parts.time) },
        .init("timeout") { up, parts in up.timeout(10, scheduler: parts.time, customError: { parts.watch.error(61) }) },
        .init("measureInterval") { up, parts in up.measureInterval(using: parts.time).map { _ in parts.probe(0) } },
        .init("receive") { up, parts in up.receive(on: parts.time) },
        .init("subscribe") { up, parts in up.subscribe(on: parts.time) },
        .init("limited") { up, parts in
            let limiter = RateLimiter(count: 1, per: 10, on: parts.time)
            return up.limited(by: limiter).merge(with: up.limited(by: limiter))
        },
        .init("limited with refusals") { up, parts in
            let limiter = RateLimiter(count: 1, per: 10, on: parts.time)
            let refused = up.limited(by: limiter, waiting: 0) { [held = parts.probe(50)] _ in held.pass(parts.watch.error(62)) }
            return up.limited(by: limiter).merge(with: refused)
        },
        .init("protected") { up, parts in
            let breaker = CircuitBreaker(failures: 1, resetAfter: 10, on: parts.time)
            let asked = up.protected(by: breaker) { [held = parts.probe(50)] _ in held.pass(parts.watch.error(62)) }
            return asked.catch { _ in asked }
        },
        .init("collect by time") { up, parts in up.collect(.byTime(parts.time, 10)).map { $0.last ?? parts.probe(0) } },
        .init("collect by time or count") { up, parts in
            up.collect(.byTimeOrCount(parts.time, 10, 2)).map { $0.last ?? parts.probe(0) }
        },
    ]

    private static let sharing: [ProbedOperator] = [
        .init("share") { up, parts in
            let shared = up.share()
            return shared.merge(with: shared)
        },
        .init("share with replay") { up, parts in
            let shared = up.share(replay: 1)
            return shared.merge(with: parts.other.flatMap { _ in shared })
        },
        .init("share again") { up, parts in
            let shared = up.share(replay: 2)
            return shared.prefix(1).append(shared)
        },
        .init("multicast") { up, parts in up.multicast { CurrentValueSubject<Probe, ProbeError>(parts.probe(70)) }.autoconnect()
        },
        .init("makeConnectable") { up, parts in
            up.replaceError(with: parts.probe(52)).makeConnectable().autoconnect().setFailureType(to: ProbeError.self)
        },
        .init("subscribe a subject") { up, parts in
            let subject = CurrentValueSubject<Probe, ProbeError>(parts.probe(70))
            let feeding = UncheckedTransfer((up.subscribe(subject), parts.other.subscribe(subject)))
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

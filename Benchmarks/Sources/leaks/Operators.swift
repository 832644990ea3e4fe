import Streams

enum Oops: Error { case first }

typealias Numbers = AnyPublisher<Int, Oops>

/// An operator on a publisher of numbers; operators of time use the scheduler.
struct Operation {
    let name: String
    let apply: (Numbers, VirtualTimeScheduler) -> Numbers
    init<P: Publisher<Int, Oops>>(_ name: String, _ apply: @escaping (Numbers, VirtualTimeScheduler) -> P) {
        self.name = name
        self.apply = { apply($0, $1).eraseToAnyPublisher() }
    }
}

/// An object that a closure captures, as user code does.
private final class Companion: Sendable {
    func pass<Value>(_ value: Value) -> Value { value }
}

func operators() -> [Operation] { passing() + limiting() + folding() + combining() + recovering() + sharing() + timed() }

private func passing() -> [Operation] {
    let companion = Companion()
    return [
        Operation("map") { up, _ in up.map { companion.pass($0) } },
        Operation("map(keyPath)") { up, _ in up.map(\.magnitude).map { Int($0) } },
        Operation("tryMap") { up, _ in up.tryMap { (value: Int) throws(Oops) -> Int in companion.pass(value) } },
        Operation("tryMap that throws") { up, _ in
            up.tryMap { (value: Int) throws(Oops) -> Int in
                guard companion.pass(value) > 2 else { throw .first }
                return value
            }
        },
        Operation("mapError") { up, _ in up.mapError { companion.pass($0) } },
        Operation("filter") { up, _ in up.filter { companion.pass($0) > 1 } },
        Operation("compactMap") { up, _ in up.compactMap { companion.pass($0 > 1 ? $0 : nil) } },
        Operation("removeDuplicates") { up, _ in up.removeDuplicates() },
        Operation("scan") { up, _ in up.scan(0) { companion.pass($0 + $1) } },
        Operation("handleEvents") { up, _ in up.handleEvents(receiveOutput: { _ = companion.pass($0) }) },
        Operation("breakpoint") { up, _ in up.breakpoint(receiveOutput: { companion.pass($0) < 0 }) },
        Operation("ignoreOutput") { up, _ in up.ignoreOutput().collect().map(\.count) },
        Operation("asResult") { up, _ in up.asResult().compactMap { try? $0.get() }.setFailureType(to: Oops.self) },
        Operation("buffer, kept full") { up, _ in up.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest) },
        Operation("buffer by request") { up, _ in up.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest) },
        Operation("buffer that overflows") { up, _ in
            up.buffer(size: 0, prefetch: .keepFull, whenFull: .customError { companion.pass(.first) })
        },
        Operation("print") { up, _ in up.print("", to: Silence()) },
    ]
}

private struct Silence: TextOutputStream {
    mutating func write(_ string: String) {}
}

private func limiting() -> [Operation] {
    let companion = Companion()
    return [
        Operation("prefix") { up, _ in up.prefix(2) },
        Operation("prefix(while:)") { up, _ in up.prefix { companion.pass($0) < 2 } },
        Operation("prefix(untilOutputFrom:)") { up, _ in up.prefix(untilOutputFrom: up.dropFirst()) },
        Operation("dropFirst") { up, _ in up.dropFirst() },
        Operation("drop(while:)") { up, _ in up.drop { companion.pass($0) < 2 } },
        Operation("drop(untilOutputFrom:)") { up, _ in up.drop(untilOutputFrom: up.dropFirst()) },
        Operation("first") { up, _ in up.first() },
        Operation("last") { up, _ in up.last() },
        Operation("output(in:)") { up, _ in up.output(in: 1...2) },
    ]
}

private func folding() -> [Operation] {
    let companion = Companion()
    return [
        Operation("reduce") { up, _ in up.reduce(0) { companion.pass($0 + $1) } },
        Operation("collect") { up, _ in up.collect().map(\.count) },
        Operation("collect(2)") { up, _ in up.collect(2).map(\.count) },
        Operation("count") { up, _ in up.count() },
        Operation("min") { up, _ in up.min() },
        Operation("contains") { up, _ in up.contains(2).map { $0 ? 1 : 0 } },
        Operation("allSatisfy") { up, _ in up.allSatisfy { companion.pass($0) > 0 }.map { $0 ? 1 : 0 } },
        Operation("replaceEmpty") { up, _ in up.replaceEmpty(with: 7) },
    ]
}

private func combining() -> [Operation] {
    let companion = Companion()
    let three = [1, 2, 3].publisher.setFailureType(to: Oops.self)
    return [
        Operation("append") { up, _ in up.append(three) },
        Operation("prepend") { up, _ in up.prepend(three) },
        Operation("merge") { up, _ in up.merge(with: three, up) },
        Operation("merge of many") { up, _ in Publishers.MergeMany([up, up, up]) },
        Operation("combineLatest") { up, _ in up.combineLatest(up.map { companion.pass($0) }).map { $0 + $1 } },
        Operation("zip") { up, _ in up.zip(three, up).map { $0 + $1 + $2 } },
        Operation("withLatestFrom") { up, _ in up.withLatestFrom(up).map { $0 } },
        Operation("flatMap") { up, _ in up.flatMap { value in up.map { companion.pass($0 + value) } } },
        Operation("flatMap over sequences") { up, _ in up.flatMap { [$0, $0].publisher.setFailureType(to: Oops.self) } },
        Operation("flatMap, one at a time") { up, _ in up.flatMap(maxPublishers: .max(1)) { _ in up.prefix(1) } },
        Operation("flatMapLatest") { up, _ in up.flatMapLatest { _ in up.map { companion.pass($0) } } },
        Operation("flatMap over what never ends") { up, _ in up.flatMap { _ in Empty<Int, Oops>(completeImmediately: false) } },
    ]
}

private func recovering() -> [Operation] {
    let companion = Companion()
    return [
        Operation("catch") { up, _ in up.catch { _ in Just(companion.pass(1)) }.setFailureType(to: Oops.self) },
        Operation("retry") { up, _ in up.retry(2) },
        Operation("retry, delayed") { up, time in up.retry(2, scheduler: time) { attempt, _ in companion.pass(.seconds(attempt)) }
        },
        Operation("replaceError") { up, _ in up.replaceError(with: 1).setFailureType(to: Oops.self) },
        Operation("assertNoFailure") { up, _ in up.replaceError(with: 1).assertNoFailure().setFailureType(to: Oops.self) },
    ]
}

private func sharing() -> [Operation] {
    [
        Operation("share") { up, _ in
            let shared = up.share()
            return shared.merge(with: shared)
        },
        Operation("share(replay:)") { up, _ in
            let shared = up.share(replay: 2)
            return shared.merge(with: shared)
        },
        Operation("multicast") { up, _ in up.multicast { PassthroughSubject() }.autoconnect() },
        Operation("erasures") { up, _ in
            (0..<20).reduce(up) { chain, _ in chain.map { $0 }.eraseToAnyPublisher() }
        },
        Operation("Deferred") { up, _ in Deferred { up } },
        Operation("Future") { up, _ in up.flatMap { value in Future { $0(.success(value)) } } },
        Operation("Future that keeps no promise") { up, _ in up.flatMap { _ in Future<Int, Oops> { _ in } } },
    ]
}

private func timed() -> [Operation] {
    [
        Operation("delay") { up, time in up.delay(for: .seconds(1), scheduler: time) },
        Operation("debounce") { up, time in up.debounce(for: .seconds(1), scheduler: time) },
        Operation("throttle") { up, time in up.throttle(for: .seconds(1), scheduler: time, latest: true) },
        Operation("timeout") { up, time in up.timeout(.seconds(1), scheduler: time) },
        Operation("collect(byTime)") { up, time in up.collect(.byTimeOrCount(time, .seconds(1), 2)).map(\.count) },
        Operation("measureInterval") { up, time in up.measureInterval(using: time).map { _ in 1 } },
        Operation("receive(on:)") { up, time in up.receive(on: time) },
        Operation("subscribe(on:)") { up, time in up.subscribe(on: time) },
        Operation("timer") { up, time in
            up.flatMap { _ in
                TimerPublisher(every: .seconds(1), on: time).autoconnect().prefix(3).map { _ in 1 }
                    .setFailureType(to: Oops.self)
            }
        },
    ]
}

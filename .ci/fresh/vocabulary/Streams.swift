import Streams

struct Oops: Error, Equatable {}

/// Returns the values that a publisher sends synchronously.
func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Output: Sendable {
    let box = Box<[P.Output]>([])
    let cancellable = publisher.sink(receiveCompletion: { _ in }, receiveValue: { box.value.append($0) })
    cancellable.cancel()
    return box.value
}

final class Box<Value>: @unchecked Sendable {
    // Sound: used by one thread.
    var value: Value
    init(_ value: Value) { self.value = value }
}

func checkStreams() async {
    checkSources()
    checkOperators()
    checkFailures()
    checkJoining()
    checkSubjects()
    checkTime()
    await checkBridges()
}

private func checkSources() {
    check("Just", values(Just(1)), [1])
    check("Empty", values(Empty<Int, Never>()), [])
    check("Fail", values(Fail<Int, Oops>(error: Oops()).replaceError(with: 2)), [2])
    check("Deferred", values(Deferred { Just(3) }), [3])
    check("Future", values(Future<Int, Never> { $0(.success(4)) }), [4])
    check(
        "Record",
        values(
            Record<Int, Never> {
                $0.receive(5); $0.receive(completion: .finished)
            }), [5])
    check("Optional", values(Optional(6).publisher), [6])
    check("Result", values(Result<Int, Oops>.success(7).publisher), [7])
    check("Sequence", values((1...3).publisher), [1, 2, 3])
}

private func checkOperators() {
    let numbers = [3, 1, 2, 2].publisher
    check("map", values(numbers.map { $0 + 1 }), [4, 2, 3, 3])
    check("key path", values(["a", "bc"].publisher.map(\.count)), [1, 2])
    check("mapTo", values(numbers.mapTo("x")), ["x", "x", "x", "x"])
    check("compactMap", values(numbers.compactMap { $0 > 1 ? $0 : nil }), [3, 2, 2])
    check("filter", values(numbers.filter { $0 > 1 }), [3, 2, 2])
    check("scan", values(numbers.scan(0) { $0 + $1 }), [3, 4, 6, 8])
    check("reduce", values(numbers.reduce(0) { $0 + $1 }), [8])
    check("removeDuplicates", values(numbers.removeDuplicates()), [3, 1, 2])
    check("replaceNil", values([1, nil].publisher.replaceNil(with: 0)), [1, 0])
    check("replaceEmpty", values(Empty<Int, Never>().replaceEmpty(with: 9)), [9])
    check("collect", values(numbers.collect()), [[3, 1, 2, 2]])
    check("collect(2)", values(numbers.collect(2)), [[3, 1], [2, 2]])
    check("count", values(numbers.count()), [4])
    check("min", values(numbers.min()), [1])
    check("max", values(numbers.max { $0 < $1 }), [3])
    check("ignoreOutput", values(numbers.ignoreOutput()).count, 0)
    check("contains", values(numbers.contains(2)), [true])
    check("allSatisfy", values(numbers.allSatisfy { $0 > 0 }), [true])
    check("first", values(numbers.first()), [3])
    check("first(where:)", values(numbers.first { $0 < 3 }), [1])
    check("last", values(numbers.last()), [2])
    check("output(at:)", values(numbers.output(at: 1)), [1])
    check("output(in:)", values(numbers.output(in: 1...2)), [1, 2])
    check("prefix", values(numbers.prefix(2)), [3, 1])
    check("prefix(while:)", values(numbers.prefix { $0 > 2 }), [3])
    check("dropFirst", values(numbers.dropFirst()), [1, 2, 2])
    check("drop(while:)", values(numbers.drop { $0 > 2 }), [1, 2, 2])
    check("append", values(numbers.append(7, 8)), [3, 1, 2, 2, 7, 8])
    check("prepend", values(numbers.prepend([9])), [9, 3, 1, 2, 2])
    check("buffer", values(numbers.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)), [3, 1, 2, 2])
    check("handleEvents", values(numbers.handleEvents(receiveOutput: { _ in })), [3, 1, 2, 2])
    check("asResult", values(Fail<Int, Oops>(error: Oops()).asResult()), [.failure(Oops())])
    check("receive(on:)", values(numbers.receive(on: ImmediateScheduler.shared)), [3, 1, 2, 2])
    check("subscribe(on:)", values(numbers.subscribe(on: ImmediateScheduler.shared)), [3, 1, 2, 2])
}

private func checkFailures() {
    let failing = [1, 2].publisher.tryMap { (value: Int) throws(Oops) -> Int in if value == 2 { throw Oops() } else { value } }
    check("tryMap", values(failing.replaceError(with: 0)), [1, 0])
    check("catch", values(failing.catch { _ in Just(5) }), [1, 5])
    check("retry", values(failing.retry(1).replaceError(with: 0)), [1, 1, 0])
    check("mapError", values(failing.mapError { "\($0)" as NamedError }.asResult().count()), [2])
    check("assertNoFailure", values(Just(1).setFailureType(to: Oops.self).assertNoFailure()), [1])
    check("tryFilter", values([1, 2].publisher.tryFilter { $0 > 1 }.replaceError(with: 0)), [2])
}

private struct NamedError: Error, ExpressibleByStringInterpolation {
    let name: String
    init(stringLiteral name: String) { self.name = name }
}

private func checkJoining() {
    let (one, two) = ([1, 2].publisher, [10, 20].publisher)
    check("merge", values(one.merge(with: two)).sorted(), [1, 2, 10, 20])
    check("zip", values(one.zip(two) { $0 + $1 }), [11, 22])
    check("combineLatest", values(Just(1).combineLatest(Just(2)) { $0 + $1 }), [3])
    check("withLatestFrom", values(one.withLatestFrom(Just(7))), [7, 7])
    check("flatMap", values(one.flatMap { [$0, $0].publisher }), [1, 1, 2, 2])
    check("flatMap(maxPublishers:)", values(one.flatMap(maxPublishers: .max(1)) { Just($0) }), [1, 2])
    check("switchToLatest", values(one.map { Just($0) }.switchToLatest()), [1, 2])
    check("flatMapLatest", values(one.flatMapLatest { Just($0) }), [1, 2])
    check("prefix(untilOutputFrom:)", values(one.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))), [1, 2])
}

private func checkSubjects() {
    let subject = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(0)
    let seen = Box<[Int]>([])
    var kept: Set<AnyCancellable> = []
    subject.share().sink { seen.value.append($0) }.store(in: &kept)
    subject.share(replay: 1).sink { seen.value.append($0) }.store(in: &kept)
    subject.multicast { PassthroughSubject() }.autoconnect().sink { seen.value.append($0) }.store(in: &kept)
    subject.map { $0 + 1 }.assign(to: \.value, on: current).store(in: &kept)
    subject.send(1)
    check("subjects", seen.value, [1, 1, 1])
    check("assign", current.value, 2)
    subject.send(completion: .finished)
    let subscriber = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: {
            seen.value.append($0)
            return .none
        }, receiveCompletion: { _ in })
    current.eraseToAnyPublisher().subscribe(subscriber)
    check("AnySubscriber", seen.value, [1, 1, 1, 2])
}

private func checkTime() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let seen = Box<[String]>([])
    var kept: [AnyCancellable] = []
    subject.debounce(for: .seconds(1), scheduler: scheduler).sink { seen.value.append("debounce \($0)") }.store(in: &kept)
    subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).sink { seen.value.append("throttle \($0)") }
        .store(in: &kept)
    subject.delay(for: .seconds(2), scheduler: scheduler).sink { seen.value.append("delay \($0)") }.store(in: &kept)
    subject.timeout(.seconds(3), scheduler: scheduler).sink(receiveCompletion: { _ in seen.value.append("timeout") }) { _ in }
        .store(in: &kept)
    subject.measureInterval(using: scheduler).sink { _ in }.store(in: &kept)
    subject.collect(.byTime(scheduler, .seconds(1))).sink { _ in }.store(in: &kept)
    subject.send(1)
    scheduler.advance(by: .seconds(10))
    check("time", seen.value, ["throttle 1", "debounce 1", "delay 1", "timeout"])
}

private func checkBridges() async {
    var collected: [Int] = []
    for await value in [1, 2].publisher.values { collected.append(value) }
    let stream = AsyncStream<Int> { continuation in
        continuation.yield(3)
        continuation.finish()
    }
    for await value in stream.publisher.values { collected.append(value) }
    let work = AnyPublisher<Int, Never>.run { send in
        send(4)
    }
    for await value in work.values { collected.append(value) }
    check("bridges", collected, [1, 2, 3, 4])
}

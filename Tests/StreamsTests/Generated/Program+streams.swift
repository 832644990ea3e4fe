import Streams

extension Run {
    /// Runs the program on Streams.
    ///
    /// - Parameter plant: Plants a defect, to check that it is found: `dropFirst` drops one value more.
    /// - Returns: The events at the subscription, and then at each action; a nil at the end if something was not released.
    func onStreams(plant: Bool = false) -> [[Seen]?] {
        var lines: [[Seen]?] = []
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            lines = play(kept, plant)
        }
        return token == nil ? lines : lines + [nil]
    }

    private func play(_ token: Token, _ plant: Bool) -> [[Seen]] {
        let subjects = (0..<subjectCount).map { _ in PassthroughSubject<Int, Oops>() }
        let watcher = GeneratedWatcher(demand.map { .max($0) } ?? .unlimited)
        let publisher = program.publisher(subjects, token, plant)
        if demand == nil {
            publisher.subscribe(watcher)
        } else {
            publisher.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(watcher)
        }
        var lines = [watcher.takeSeen()]
        for move in moves {
            switch move {
            case .send(let value, to: let place): subjects[place].send(value)
            case .finish(let place): subjects[place].send(completion: .finished)
            case .fail(let place): subjects[place].send(completion: .failure(Oops.first))
            case .request(let count): watcher.subscription?.request(.max(count))
            case .cancel: watcher.subscription?.cancel()
            }
            lines.append(watcher.takeSeen())
        }
        watcher.subscription?.cancel()
        watcher.subscription = nil
        return lines
    }
}

private final class GeneratedWatcher: Subscriber {
    private let demand: Subscribers.Demand
    var subscription: (any Subscription)?
    private var seen: [Seen] = []

    init(_ demand: Subscribers.Demand) { self.demand = demand }

    func takeSeen() -> [Seen] {
        defer { seen = [] }
        return seen
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if demand != .none { subscription.request(demand) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        seen.append(.value(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Oops>) { seen.append(completion == .finished ? .finished : .failed) }
}

extension Program {
    fileprivate func publisher(_ subjects: [PassthroughSubject<Int, Oops>], _ token: Token, _ plant: Bool) -> Ints {
        switch self {
        case .subject(let place): return subjects[place].eraseToAnyPublisher()
        case .list(let values): return OperatorCase.sequence(values).eraseToAnyPublisher()
        case .failing(let values):
            return OperatorCase.sequence(values).append(Fail(error: Oops.first)).eraseToAnyPublisher()
        case .one(let unary, let part):
            return unary.apply(part.publisher(subjects, token, plant), token, plant)
        case .two(let binary, let one, let two):
            return binary.apply(one.publisher(subjects, token, plant), two.publisher(subjects, token, plant), token)
        }
    }
}

extension Program.Unary {
    fileprivate func apply(_ upstream: Ints, _ token: Token, _ plant: Bool) -> Ints {
        switch self {
        case .map(let more): upstream.map { token.pass($0 + more) }.eraseToAnyPublisher()
        case .filter(let least): upstream.filter { token.pass($0) >= least }.eraseToAnyPublisher()
        case .scan: upstream.scan(0) { token.pass($0 + $1) }.eraseToAnyPublisher()
        case .removeDuplicates: upstream.removeDuplicates().eraseToAnyPublisher()
        case .prefix(let count): upstream.prefix(count).eraseToAnyPublisher()
        case .dropFirst(let count): upstream.dropFirst(plant ? count + 1 : count).eraseToAnyPublisher()
        case .prefixWhile(let least): upstream.prefix { $0 >= least }.eraseToAnyPublisher()
        case .dropWhile(let least): upstream.drop { $0 >= least }.eraseToAnyPublisher()
        case .first: upstream.first().eraseToAnyPublisher()
        case .last: upstream.last().eraseToAnyPublisher()
        case .count: upstream.count().eraseToAnyPublisher()
        case .sum: upstream.reduce(0, +).eraseToAnyPublisher()
        case .replaceError(let value):
            upstream.replaceError(with: value).setFailureType(to: Oops.self).eraseToAnyPublisher()
        case .replaceEmpty(let value): upstream.replaceEmpty(with: value).eraseToAnyPublisher()
        case .retry: upstream.retry(1).eraseToAnyPublisher()
        case .flatMap(let count):
            upstream.flatMap { OperatorCase.sequence(Array(repeating: token.pass($0), count: count)) }
                .eraseToAnyPublisher()
        case .oneByOne(let count):
            upstream.flatMap(maxPublishers: .max(1)) { OperatorCase.sequence(Array(repeating: $0, count: count)) }
                .eraseToAnyPublisher()
        case .latest(let count):
            upstream.flatMapLatest { OperatorCase.sequence(Array(repeating: $0, count: count)) }.eraseToAnyPublisher()
        case .buffer: upstream.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
        case .ignoreOutput: upstream.ignoreOutput().map(anything).eraseToAnyPublisher()
        }
    }
}

extension Program.Binary {
    fileprivate func apply(_ one: Ints, _ two: Ints, _ token: Token) -> Ints {
        switch self {
        case .merge: one.merge(with: two).eraseToAnyPublisher()
        case .zip: one.zip(two) { token.pass($0 * 10 + $1) }.eraseToAnyPublisher()
        case .combineLatest: one.combineLatest(two) { token.pass($0 * 10 + $1) }.eraseToAnyPublisher()
        case .append: one.append(two).eraseToAnyPublisher()
        case .catching: one.catch { _ in token.pass(two) }.eraseToAnyPublisher()
        case .prefixUntil: one.prefix(untilOutputFrom: two).eraseToAnyPublisher()
        case .dropUntil: one.drop(untilOutputFrom: two).eraseToAnyPublisher()
        case .withLatest: one.withLatestFrom(two) { token.pass($0 * 10 + $1) }.eraseToAnyPublisher()
        case .flatMapTo: one.flatMap { _ in token.pass(two) }.eraseToAnyPublisher()
        case .switchTo: one.flatMapLatest { _ in token.pass(two) }.eraseToAnyPublisher()
        }
    }
}

/// A named function, since the compiler warns that a closure's body is never run.
private func anything(_ nothing: Never) -> Int {}

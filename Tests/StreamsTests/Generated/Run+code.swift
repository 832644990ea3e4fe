extension Run {
    /// A Swift program that does the same, and prints the received events.
    var code: String {
        var lines = [
            "let subjects = [PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>()]",
            "let program = \(program.code).eraseToAnyPublisher()",
        ]
        if let demand {
            lines += [
                "var subscription: (any Subscription)?",
                "program.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(",
                "    AnySubscriber(",
                "        receiveSubscription: {",
                "            subscription = $0",
                "            $0.request(.max(\(demand)))",
                "        },",
                "        receiveValue: {",
                "            print($0)",
                "            return .none",
                "        }, receiveCompletion: { print($0) }))",
            ]
        } else {
            lines.append("let subscription = program.sink { print($0) } receiveValue: { print($0) }")
        }
        lines += moves.map(\.code)
        if demand == nil, !moves.contains(.cancel) { lines.append("subscription.cancel()") }
        return lines.joined(separator: "\n")
    }

    /// The difference, and the program.
    func report(plant: Bool = false) -> String {
        """
        expected \(onModel().map { $0?.description ?? "something kept" }.joined(separator: " "))
             got \(onStreams(plant: plant).map { $0?.description ?? "something kept" }.joined(separator: " "))
        \(code)
        """
    }
}

extension Move {
    fileprivate var code: String {
        switch self {
        case .send(let value, to: let place): "subjects[\(place)].send(\(value))"
        case .finish(let place): "subjects[\(place)].send(completion: .finished)"
        case .fail(let place): "subjects[\(place)].send(completion: .failure(Oops.first))"
        case .request(let count): "subscription?.request(.max(\(count)))"
        case .cancel: "subscription.cancel()"
        }
    }
}

extension Program {
    fileprivate var code: String {
        switch self {
        case .subject(let place): "subjects[\(place)]"
        case .list(let values): Self.code(values)
        case .failing(let values): "\(Self.code(values)).append(Fail(error: Oops.first))"
        case .one(let unary, let part): "\(part.code).\(unary.code)"
        case .two(.merge, let one, let two): "\(one.code).merge(with: \(two.code))"
        case .two(.zip, let one, let two): "\(one.code).zip(\(two.code)) { $0 * 10 + $1 }"
        case .two(.combineLatest, let one, let two): "\(one.code).combineLatest(\(two.code)) { $0 * 10 + $1 }"
        case .two(.append, let one, let two): "\(one.code).append(\(two.code))"
        case .two(.catching, let one, let two): "\(one.code).catch { _ in \(two.code) }"
        case .two(.prefixUntil, let one, let two): "\(one.code).prefix(untilOutputFrom: \(two.code))"
        case .two(.dropUntil, let one, let two): "\(one.code).drop(untilOutputFrom: \(two.code))"
        case .two(.withLatest, let one, let two): "\(one.code).withLatestFrom(\(two.code)) { $0 * 10 + $1 }"
        case .two(.flatMapTo, let one, let two): "\(one.code).flatMap { _ in \(two.code) }"
        case .two(.switchTo, let one, let two): "\(one.code).flatMapLatest { _ in \(two.code) }"
        }
    }

    private static func code(_ values: [Int]) -> String {
        values.isEmpty ? "Empty<Int, Oops>()" : "\(values).publisher.setFailureType(to: Oops.self)"
    }
}

extension Program.Unary {
    fileprivate var code: String {
        switch self {
        case .map(let more): "map { $0 + \(more) }"
        case .filter(let least): "filter { $0 >= \(least) }"
        case .scan: "scan(0, +)"
        case .removeDuplicates: "removeDuplicates()"
        case .prefix(let count): "prefix(\(count))"
        case .dropFirst(let count): "dropFirst(\(count))"
        case .prefixWhile(let least): "prefix { $0 >= \(least) }"
        case .dropWhile(let least): "drop { $0 >= \(least) }"
        case .first: "first()"
        case .last: "last()"
        case .count: "count()"
        case .sum: "reduce(0, +)"
        case .replaceError(let value): "replaceError(with: \(value)).setFailureType(to: Oops.self)"
        case .replaceEmpty(let value): "replaceEmpty(with: \(value))"
        case .retry: "retry(1)"
        case .flatMap(let count):
            "flatMap { Array(repeating: $0, count: \(count)).publisher.setFailureType(to: Oops.self) }"
        case .oneByOne(let count):
            "flatMap(maxPublishers: .max(1)) { Array(repeating: $0, count: \(count)).publisher.setFailureType(to: Oops.self) }"
        case .latest(let count):
            "flatMapLatest { Array(repeating: $0, count: \(count)).publisher.setFailureType(to: Oops.self) }"
        case .buffer: "buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest)"
        case .ignoreOutput: "ignoreOutput().map { _ in 0 }"
        }
    }
}

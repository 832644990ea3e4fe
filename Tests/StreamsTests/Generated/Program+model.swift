// The expected behavior of a program, as simple as possible: no demand, no threads, no code of the tested operators.

extension Run {
    /// The expected events at the subscription, and then at each move.
    func onModel() -> [[Seen]?] {
        let world = ModelWorld()
        let link = Link()
        var (open, waiting, seen, isOver) = (demand ?? .max, [Seen](), [Seen](), false)
        // A failure overtakes values that wait for demand, as in a buffer.
        func serve() {
            while !isOver, let next = waiting.first, next.isEnd || open > 0 {
                waiting.removeFirst()
                if !next.isEnd, demand != nil { open -= 1 }
                isOver = next.isEnd
                seen.append(next)
            }
        }
        func line() -> [Seen] {
            defer { seen = [] }
            return seen
        }
        program.run(in: world, link) { event in
            if case .failed = event { waiting = [] }
            waiting.append(event)
            serve()
        }
        var lines = [line()]
        for move in moves {
            switch move {
            case .send(let value, to: let place): world.send(.value(value), to: place)
            case .finish(let place): world.send(.finished, to: place)
            case .fail(let place): world.send(.failed, to: place)
            case .request(let count):
                if demand != nil { open += count }
                serve()
            case .cancel:
                link.end()
                isOver = true
            }
            lines.append(line())
        }
        return lines
    }
}

/// A subscription, and the subscriptions that it has made.
private final class Link {
    private(set) var isOver = false
    private var children: [Link] = []

    func child() -> Link {
        let child = Link()
        if isOver { child.isOver = true } else { children.append(child) }
        return child
    }

    func end() {
        isOver = true
        for child in children { child.end() }
        children = []
    }
}

/// The subjects and their subscribers.
private final class ModelWorld {
    private var listeners: [[(link: Link, out: (Seen) -> Void)]] = Array(repeating: [], count: subjectCount)
    private var ends: [Seen?] = Array(repeating: nil, count: subjectCount)

    func listen(to place: Int, _ link: Link, _ out: @escaping (Seen) -> Void) {
        if let end = ends[place] { return out(end) }
        listeners[place].append((link, out))
    }

    func send(_ event: Seen, to place: Int) {
        guard ends[place] == nil else { return }
        if event.isEnd { ends[place] = event }
        for (link, out) in listeners[place] where !link.isOver { out(event) }
    }
}

extension Program {
    fileprivate func run(in world: ModelWorld, _ link: Link, _ downstream: @escaping (Seen) -> Void) {
        if link.isOver { return }
        let out: (Seen) -> Void = { event in
            if link.isOver { return }
            if event.isEnd { link.end() }
            downstream(event)
        }
        switch self {
        case .subject(let place): world.listen(to: place, link, out)
        case .list(let values):
            for value in values { out(.value(value)) }
            out(.finished)
        case .failing(let values):
            for value in values { out(.value(value)) }
            out(.failed)
        case .one(let unary, let part): unary.run(part, in: world, link, out)
        case .two(let binary, let one, let two): binary.run(one, two, in: world, link, out)
        }
    }
}

extension Program.Unary {
    fileprivate func run(_ part: Program, in world: ModelWorld, _ link: Link, _ out: @escaping (Seen) -> Void) {
        var (values, isOpen) = ([Int](), false)
        if case .prefix(0) = self { return out(.finished) }
        part.run(in: world, link.child()) { event in
            guard case .value(let value) = event else { return end(event) }
            let before = values
            values.append(value)
            switch self {
            case .map(let more): out(.value(value + more))
            case .filter(let least): if value >= least { out(event) }
            case .scan: out(.value(values.reduce(0, +)))
            case .removeDuplicates: if before.last != value { out(event) }
            case .prefix(let count):
                out(event)
                if values.count == count { out(.finished) }
            case .dropFirst(let count): if values.count > count { out(event) }
            case .prefixWhile(let least): out(value >= least ? event : .finished)
            case .dropWhile(let least):
                isOpen = isOpen || value < least
                if isOpen { out(event) }
            case .first:
                out(event)
                out(.finished)
            case .last, .count, .sum, .ignoreOutput: break
            case .flatMap(let count), .oneByOne(let count), .latest(let count): for _ in 0..<count { out(event) }
            case .replaceError, .replaceEmpty, .retry, .buffer: out(event)
            }
        }
        func end(_ end: Seen) {
            switch (self, end) {
            case (.last, .finished): if let last = values.last { out(.value(last)) }
            case (.count, .finished): out(.value(values.count))
            case (.sum, .finished): out(.value(values.reduce(0, +)))
            case (.replaceEmpty(let value), .finished): if values.isEmpty { out(.value(value)) }
            case (.replaceError(let value), .failed):
                out(.value(value))
                return out(.finished)
            case (.retry, .failed): return part.run(in: world, link.child(), out)
            default: break
            }
            out(end)
        }
    }
}

extension Program.Binary {
    fileprivate func run(
        _ one: Program, _ two: Program, in world: ModelWorld, _ link: Link, _ out: @escaping (Seen) -> Void
    ) {
        switch self {
        case .merge, .zip, .combineLatest: join(one, two, in: world, link, out)
        case .append:
            one.run(in: world, link.child()) { event in
                if event == .finished { two.run(in: world, link.child(), out) } else { out(event) }
            }
        case .catching:
            one.run(in: world, link.child()) { event in
                if event == .failed { two.run(in: world, link.child(), out) } else { out(event) }
            }
        case .prefixUntil, .dropUntil, .withLatest: gate(one, by: two, in: world, link, out)
        case .flatMapTo, .switchTo: flatten(one, to: two, in: world, link, out)
        }
    }

    private func join(
        _ one: Program, _ two: Program, in world: ModelWorld, _ link: Link, _ out: @escaping (Seen) -> Void
    ) {
        var values: [[Int]] = [[], []]
        var isOver = [false, false]
        for (place, part) in [one, two].enumerated() {
            part.run(in: world, link.child()) { event in
                switch event {
                case .failed: return out(.failed)
                case .finished: isOver[place] = true
                case .value(let value):
                    if self == .merge { return out(event) }
                    if self == .combineLatest { values[place] = [value] } else { values[place].append(value) }
                    if let left = values[0].first, let right = values[1].first {
                        if self == .zip { values = values.map { Array($0.dropFirst()) } }
                        out(.value(left * 10 + right))
                    }
                }
                let isEnd = self == .zip ? (0...1).contains { isOver[$0] && values[$0].isEmpty } : isOver == [true, true]
                if isEnd { out(.finished) }
            }
        }
    }

    private func gate(
        _ one: Program, by two: Program, in world: ModelWorld, _ link: Link, _ out: @escaping (Seen) -> Void
    ) {
        var key: Int?
        let keys = link.child()
        two.run(in: world, keys) { event in
            switch (self, event) {
            case (.prefixUntil, .value): out(.finished)
            case (.dropUntil, .value(let value)):
                key = value
                keys.end()
            case (.dropUntil, _): out(event)
            case (.withLatest, .value(let value)): key = value
            case (.withLatest, .failed): out(.failed)
            default: break
            }
        }
        one.run(in: world, link.child()) { event in
            guard case .value(let value) = event else { return out(event) }
            switch self {
            case .prefixUntil: out(event)
            case .dropUntil: if key != nil { out(event) }
            default: if let key { out(.value(value * 10 + key)) }
            }
        }
    }

    private func flatten(
        _ one: Program, to two: Program, in world: ModelWorld, _ link: Link, _ out: @escaping (Seen) -> Void
    ) {
        var (running, isLast, current) = (0, false, Link())
        one.run(in: world, link.child()) { event in
            switch event {
            case .failed: out(.failed)
            case .finished:
                isLast = true
                if running == 0 { out(.finished) }
            case .value:
                if self == .switchTo {
                    if !current.isOver { running = 0 }
                    current.end()
                }
                running += 1
                current = link.child()
                two.run(in: world, current) { event in
                    if event != .finished { return out(event) }
                    running -= 1
                    if running == 0, isLast { out(.finished) }
                }
            }
        }
    }
}

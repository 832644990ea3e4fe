import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

/// Two threads send while a third one cancels, requests or completes: the rules hold in any order.
@Suite("Operators under concurrent use", .serialized)
struct ConcurrentTests {
    /// The numbers of the rounds, which determine the times of actions.
    static let numbers = Budget.seeds(100)
    /// The number of values that each thread sends in a round.
    static let count = 20

    /// Returns a number below a limit, far from that of the previous round, so that few rounds have early and late ones.
    private static func spread(_ number: Int, over limit: Int) -> Int { number * 7 % limit }

    /// The chain of one round, with counters to check its end.
    private final class Stage: Sendable {
        let first = PassthroughSubject<Int, Oops>()
        let second = PassthroughSubject<Int, Oops>()
        let queue: DispatchQueue
        let shape: ConcurrentShape
        let observer: ConcurrentObserver
        /// The number of values that both threads have sent.
        let sent = Counter()
        /// The number of cancellations of each upstream's subscription.
        let cancels = [Counter(), Counter()]

        init(_ shape: ConcurrentShape, demand: Int, queue: DispatchQueue) {
            self.shape = shape
            self.queue = queue
            observer = ConcurrentObserver(demand: demand)
            let taps = zip([first, second], cancels).map { subject, counter in
                subject.handleEvents(receiveCancel: { counter.add() }).eraseToAnyPublisher()
            }
            shape.make(taps[0], taps[1], queue).subscribe(observer)
        }

        func send(by thread: Int, upTo count: Int = ConcurrentTests.count) {
            let subject = thread == 0 || shape.isOneUpstream ? first : second
            for value in 1...count {
                subject.send(thread == 0 ? value : -value)
                sent.add()
            }
        }

        func end(_ completion: Subscribers.Completion<Oops>, by thread: Int) {
            (thread == 0 || shape.isOneUpstream ? first : second).send(completion: completion)
        }

        /// Waits until the queue has run its pending work.
        func settle() { queue.sync(flags: .barrier) {} }
    }

    final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    }

    private func rounds(
        _ shape: ConcurrentShape, demand: Int = .everything, _ round: (Stage, Threads, Int) -> String?
    ) {
        let threads = Threads(3)
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for number in Self.numbers {
            weak var observer: ConcurrentObserver?
            do {
                let stage = Stage(shape, demand: demand, queue: queue)
                observer = stage.observer
                var complaint = round(stage, threads, number)
                stage.settle()
                complaint = stage.observer.violations.first.map { "the subscriber got \($0)" } ?? complaint
                if let complaint {
                    Issue.record("\(shape), round \(number): \(complaint)")
                    return
                }
            }
            queue.sync(flags: .barrier) {}
            if observer != nil {
                Issue.record("\(shape), round \(number): the subscriber is still alive")
                return
            }
        }
    }

    @Test(
        "A subscriber that cancels while two threads send cancels its upstreams, and receives nothing more",
        arguments: ConcurrentShape.all)
    func cancelling(_ shape: ConcurrentShape) {
        rounds(shape) { stage, threads, number in
            threads.run([
                { stage.send(by: 0) }, { stage.send(by: 1) },
                {
                    wait { stage.sent.value >= Self.spread(number, over: 2 * Self.count) }
                    stage.observer.cancel()
                },
            ])
            let cancels = stage.cancels.map(\.value)
            let isRight = cancels[0] == 1 && (shape.isResubscribing || cancels[1] <= 1)
            return isRight ? nil : "upstreams were cancelled \(cancels) times"
        }
    }

    @Test(
        "A subscriber that cancels while two threads complete its upstreams is called by one thread at a time, and released",
        arguments: ConcurrentShape.all)
    func cancellingWhileEnding(_ shape: ConcurrentShape) {
        rounds(shape) { stage, threads, number in
            threads.run([
                {
                    stage.send(by: 0, upTo: 2)
                    stage.end(number % 3 == 0 ? .failure(.first) : .finished, by: 0)
                },
                {
                    stage.send(by: 1, upTo: 2)
                    stage.end(number % 3 == 1 ? .failure(.second) : .finished, by: 1)
                },
                { stage.observer.cancel() },
            ])
            return nil
        }
    }

    @Test(
        "A subscriber that requests values one by one while two threads send receives none that it has not requested",
        arguments: ConcurrentShape.all)
    func asking(_ shape: ConcurrentShape) {
        rounds(shape, demand: 0) { stage, threads, number in
            threads.run([
                { stage.send(by: 0) }, { stage.send(by: 1) },
                { for _ in 0..<Self.count { stage.observer.request(1) } },
            ])
            stage.observer.cancel()
            return nil
        }
    }

    @Test(
        "Three threads that request values of ready upstreams at once receive as many as they request",
        arguments: ConcurrentShape.all.filter(\.isExact))
    func askingTogether(_ shape: ConcurrentShape) {
        let threads = Threads(3)
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let (first, second) = (OperatorCase.sequence(Array(1...100)), OperatorCase.sequence((1...100).map { -$0 }))
        // Each of these rounds takes ten times as long as another.
        for number in Self.numbers.prefix(Budget.size(.max, quick: 3)) {
            let observer = ConcurrentObserver(demand: 0)
            shape.make(first.eraseToAnyPublisher(), second.eraseToAnyPublisher(), queue).subscribe(observer)
            threads.run(Array(repeating: { for _ in 0..<Self.count { observer.request(1) } }, count: 3))
            queue.sync(flags: .barrier) {}
            let count = observer.count
            observer.cancel()
            if count == 3 * Self.count, observer.violations == [] { continue }
            Issue.record(
                "\(shape), round \(number): \(3 * Self.count) asked for, \(count) sent, \(observer.violations)")
            return
        }
    }

    @Test(
        "An operator sends the expected values in order to a subscriber that requests on three threads and then cancels",
        arguments: Table.linking)
    func askingOperator(_ row: Row) throws {
        let link = try #require(row.link)
        let threads = Threads(3)
        let list = (0..<200).map { $0 % 5 }
        let expected = link.model(list, .finished)
        for number in Self.numbers {
            let observer = ConcurrentObserver(demand: 0)
            link.make(.erased(OperatorCase.sequence(list).eraseToAnyPublisher()), Witness()).subscribe(observer)
            threads.run(Array(repeating: { for _ in 0..<Self.count / 2 { observer.request(1) } }, count: 3))
            let isRight = observer.values == Array(expected.0.prefix(3 * (Self.count / 2)))
            let values = observer.values
            threads.run([
                { observer.request(1) }, { observer.cancel() }, { observer.request(1) },
            ])
            if isRight, observer.violations == [] { continue }
            Issue.record("\(row), round \(number): \(values), \(observer.violations)")
            return
        }
    }

    @Test(
        "An operator completes once, with all values that are due, when two threads send theirs and finish",
        arguments: ConcurrentShape.all)
    func finishing(_ shape: ConcurrentShape) {
        rounds(shape) { stage, threads, number in
            if shape.isOneUpstream {
                threads.run([{ stage.send(by: 0) }, { stage.send(by: 1) }])
                stage.end(.finished, by: 0)
            } else {
                threads.run(
                    [0, 1].map { thread in
                        {
                            stage.send(by: thread)
                            stage.end(.finished, by: thread)
                        }
                    })
            }
            wait { stage.observer.hasEnded }
            let (values, ends) = (stage.observer.values, stage.observer.ends)
            return shape.isComplete(values, Self.count) && ends == [.finished] ? nil : "it sent \(values), \(ends)"
        }
    }

    @Test(
        "An operator ends with the failure of one upstream while another thread sends and a third one requests",
        arguments: ConcurrentShape.all)
    func failing(_ shape: ConcurrentShape) {
        rounds(shape) { stage, threads, number in
            threads.run([
                { stage.send(by: 0) },
                {
                    stage.send(by: 1, upTo: 1 + Self.spread(number, over: Self.count))
                    stage.end(.failure(.second), by: 1)
                },
                { stage.observer.request(1) },
            ])
            if !shape.hearsSecondFail {
                stage.observer.cancel()
                return nil
            }
            wait { stage.observer.hasEnded }
            return stage.observer.ends == [shape.endOfFailing] ? nil : "it ended with \(stage.observer.ends)"
        }
    }
}

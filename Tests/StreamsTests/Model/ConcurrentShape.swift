import Dispatch
import Streams

/// A chain to which two threads send concurrently, each to an upstream of its own or both to the same one.
struct ConcurrentShape: Sendable, CustomStringConvertible {
    let description: String
    /// Makes the chain over two upstreams.
    let make: @Sendable (Ints, Ints, DispatchQueue) -> Ints
    /// Indicates whether both threads send to the first upstream.
    var isOneUpstream = false
    /// The condition on the values when everything was requested and each upstream has sent 1...count and finished, with negative
    /// values for the second; nil if all values arrive in each upstream's order.
    var isRight: (@Sendable (_ values: [Int], _ count: Int) -> Bool)?
    /// Indicates whether a failure of the second upstream is received; false if the operator may not be subscribed to it then.
    var hearsSecondFail = true
    /// Indicates whether it sends as many values as are requested, if the upstreams have enough.
    var isExact = true
    /// Indicates whether it subscribes to the second upstream more than once.
    var isResubscribing = false
    /// The completion if the second upstream sends values and then fails.
    var endOfFailing = End.failed(.second)

    /// Returns whether all values were sent, each thread's in order.
    func isComplete(_ values: [Int], _ count: Int) -> Bool {
        if let isRight { return isRight(values, count) }
        return values.filter { $0 > 0 } == Array(1...count) && values.filter { $0 < 0 } == (1...count).map { -$0 }
    }

    static let all = basic + combining + recovering

    static let basic: [ConcurrentShape] = [
        ConcurrentShape(description: "a subject", make: { a, _, _ in a }, isOneUpstream: true),
        ConcurrentShape(
            description: "a subject with map and filter",
            make: { a, _, _ in a.map { $0 }.filter { _ in true }.eraseToAnyPublisher() }, isOneUpstream: true),
        ConcurrentShape(
            description: "handleEvents",
            make: { a, _, _ in a.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() },
            isOneUpstream: true),
        ConcurrentShape(
            description: "prefix", make: { a, _, _ in a.prefix(1_000_000).eraseToAnyPublisher() }, isOneUpstream: true),
        ConcurrentShape(description: "merge", make: { a, b, _ in a.merge(with: b).eraseToAnyPublisher() }),
        ConcurrentShape(description: "flatMap") { a, b, _ in
            OperatorCase.sequence([0, 1]).flatMap { $0 == 0 ? a : b }.eraseToAnyPublisher()
        },
        ConcurrentShape(
            description: "flatMap of what one of them sends",
            make: { a, b, _ in
                a.map { OperatorCase.sequence([$0]).eraseToAnyPublisher() }.merge(with: Just(b).orOops)
                    .flatMap { $0 }.eraseToAnyPublisher()
            }),
        ConcurrentShape(
            description: "share", make: { a, _, _ in a.share().eraseToAnyPublisher() }, isOneUpstream: true,
            isExact: false),
        ConcurrentShape(
            description: "merge, shared", make: { a, b, _ in a.merge(with: b).share().eraseToAnyPublisher() },
            isExact: false),
        ConcurrentShape(
            description: "append", make: { a, b, _ in a.append(b).eraseToAnyPublisher() },
            isRight: { values, count in Array(values.prefix(count)) == Array(1...count) },
            hearsSecondFail: false),
        ConcurrentShape(description: "receive(on:) a concurrent queue") { a, b, queue in
            a.merge(with: b).receive(on: queue).eraseToAnyPublisher()
        },
        // A timer fires after the barrier with which the test waits for the queue.
        ConcurrentShape(
            description: "delay on a concurrent queue",
            make: { a, b, queue in a.merge(with: b).delay(for: 0, scheduler: queue).eraseToAnyPublisher() },
            isExact: false),
    ]
}

extension Just where Output: Sendable {
    /// The same, with a failure type that never occurs.
    var orOops: AnyPublisher<Output, Oops> {
        Publishers.Sequence<[Output], Oops>(sequence: [output]).eraseToAnyPublisher()
    }
}

import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Subscriptions that wait for a future")
struct FutureWaiterTests {
    /// The order in which many are cancelled.
    enum Order: CaseIterable {
        case forwards, backwards, crosswise

        func of(_ count: Int) -> [Int] {
            switch self {
            case .forwards: Array(0..<count)
            case .backwards: (0..<count).reversed()
            case .crosswise: (0..<count).map { $0 * 7 % count }
            }
        }
    }

    /// The place of each subscription that waits.
    private func places(in future: Future<Int, Oops>) -> [ObjectIdentifier: Int] {
        future.guarded.withLock { _ in
            var places: [ObjectIdentifier: Int] = [:]
            for place in 0..<future.waiting.count {
                if let waiter = future.waiting.places[place] { places[ObjectIdentifier(waiter.takeUnretainedValue())] = place }
            }
            return places
        }
    }

    private func waiting(for future: Future<Int, Oops>, _ count: Int) -> [Recorder<Int, Oops>] {
        (0..<count).map { _ in
            let recorder = Recorder<Int, Oops>()
            future.subscribe(recorder)
            return recorder
        }
    }

    @Test(
        "Each cancelled subscription moves one other at most, on average, and leaves no long list behind",
        arguments: Order.allCases)
    func cancelled(_ order: Order) {
        let count = Budget.size(500, quick: 200)
        let future = Future<Int, Oops> { _ in }
        let recorders = waiting(for: future, count)
        var (left, moves) = (places(in: future), 0)
        expectEqual(left.count, count)
        for index in order.of(count) {
            recorders[index].cancel()
            let now = places(in: future)
            expectEqual(now.count, left.count - 1)
            moves += now.count { left[$0.key] != $0.value }
            expect(future.waiting.count <= 2 * now.count + 16)
            left = now
        }
        expect(moves <= count)
    }

    @Test("Subscriptions that are not cancelled get the result in the order in which they were made", arguments: Order.allCases)
    func served(_ order: Order) {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let served = Log<Int>()
        let cancellables = (0..<100).map { index in
            future.asResult().sink(isolation: nil) { _ in served.append(index) }
        }
        for index in order.of(100) where index % 5 != 0 { cancellables[index].cancel() }
        promises.items[0](.success(1))
        expectEqual(served.items, Array(stride(from: 0, to: 100, by: 5)))
    }

    @Test("A subscription that is cancelled while another is served gets nothing")
    func cancelledByAnother() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let second = Recorder<Int, Oops>()
        let first = Recorder<Int, Oops> { _, _ in second.cancel() }
        future.subscribe(first)
        future.subscribe(second)
        promises.items[0](.success(1))
        expectEqual(first.values, [1])
        expectEqual(second.values, [])
        expectEqual(second.completions, [])
    }
}

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

    /// The number of subscriptions that the future stores: those that wait, and some that were cancelled.
    private func stored(by future: Future<Int, Oops>) -> Int { future.guarded.withLock { $0.waiting.count } }

    private func waiting(for future: Future<Int, Oops>, _ count: Int) -> [Recorder<Int, Oops>] {
        (0..<count).map { _ in
            let recorder = Recorder<Int, Oops>()
            future.subscribe(recorder)
            return recorder
        }
    }

    @Test("Cancelled subscriptions leave no long list behind", arguments: Order.allCases)
    func cancelled(_ order: Order) {
        let count = Budget.size(500, quick: 200)
        let future = Future<Int, Oops> { _ in }
        let recorders = waiting(for: future, count)
        for (left, index) in zip((0..<count).reversed(), order.of(count)) {
            recorders[index].cancel()
            expect((left...max(2 * left + 1, left + 16)).contains(stored(by: future)))
        }
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
        withExtendedLifetime(cancellables) { promises.items[0](.success(1)) }
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

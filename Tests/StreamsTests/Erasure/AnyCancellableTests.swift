import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("AnyCancellable")
struct AnyCancellableTests {
    private final class Counter: Cancellable {
        var calls = 0
        func cancel() { calls += 1 }
    }

    @Test("`AnyCancellable` runs its closure once, however often `cancel` is called")
    func once() {
        let counter = Counter()
        let cancellable = AnyCancellable(counter)
        cancellable.cancel()
        cancellable.cancel()
        expectEqual(counter.calls, 1)
    }

    @Test("`AnyCancellable` cancels when it is released, unless it was cancelled before")
    func onRelease() {
        let (released, cancelled) = (Counter(), Counter())
        do {
            _ = AnyCancellable(released)
            AnyCancellable(cancelled).cancel()
        }
        expectEqual(released.calls, 1)
        expectEqual(cancelled.calls, 1)
    }

    /// Cancels its own handle. The first thread waits inside until the second has been here.
    private final class Recursive: Cancellable, @unchecked Sendable {
        // Sound: the handle is set before any thread starts, and the rest is thread-safe.
        var handle: AnyCancellable?
        let (isInside, goOn, calls) = (Latch(), Latch(), MoonlightTestSupport.Counter())

        func cancel() {
            let call = calls.add()
            // Otherwise, a fault would be a crash.
            if call > 5 { return }
            if call == 1 {
                isInside.open()
                goOn.wait()
            }
            handle?.cancel()
        }
    }

    @Test("Two threads that cancel at once each run the cancellation once, even if it cancels again itself")
    func recursiveOnTwoThreads() {
        let recursive = Recursive()
        let handle = AnyCancellable(recursive)
        recursive.handle = handle
        let first = Worker { handle.cancel() }
        recursive.isInside.wait()
        handle.cancel()
        expectEqual(recursive.calls.value, 2)
        recursive.goOn.open()
        first.join()
        expectEqual(recursive.calls.value, 2)
        recursive.handle = nil
    }

    @Test("Two cancellables are equal only if they are the same object")
    func equality() {
        let counter = Counter()
        let (a, b) = (AnyCancellable(counter), AnyCancellable(counter))
        expectEqual(a, a)
        expect(a != b)
        expect(a.hashValue != b.hashValue)
        expectEqual(Set([a, a, b]).count, 2)
    }

    @Test("A cancellable in a set lives as long as the set holds it")
    func storeInSet() {
        let counter = Counter()
        var set: Set<AnyCancellable> = []
        counter.store(in: &set)
        expectEqual(set.count, 1)
        expectEqual(counter.calls, 0)
        set = []
        expectEqual(counter.calls, 1)
    }

    @Test("A cancellable in an array lives as long as the array holds it")
    func storeInArray() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var kept: [AnyCancellable] = []
        subject.sink { seen.append($0) }.store(in: &kept)
        subject.sink { seen.append($0 * 10) }.store(in: &kept)
        subject.send(1)
        kept.removeLast()
        subject.send(2)
        expectEqual(seen, [1, 10, 2])
    }

    @Test("`store(in:)` stores the `AnyCancellable` itself, so that it can be found and removed")
    func storesItself() {
        let cancellable = AnyCancellable {}
        var set: Set<AnyCancellable> = []
        cancellable.store(in: &set)
        cancellable.store(in: &set)
        expectEqual(set, [cancellable])
        var array: [AnyCancellable] = []
        cancellable.store(in: &array)
        expectEqual(array, [cancellable])
    }

    @Test("`store(in:)` of any other `Cancellable` stores an `AnyCancellable` that cancels it")
    func storesAnother() {
        let cancellable = AnyCancellable {}
        var set: Set<AnyCancellable> = [cancellable]
        let abstracted: any Cancellable = cancellable
        abstracted.store(in: &set)
        expectEqual(set.count, 2)
    }

    @Test("A cancellation by two threads at once is complete when either call returns", arguments: [false, true])
    func twoThreads(isWrapped: Bool) {
        for _ in 0..<Budget.rounds(300, least: 30) {
            let subject = PassthroughSubject<Int, Never>()
            let received = Atomic<Int>(0)
            let sink = subject.sink { _ in received.wrappingAdd(1, ordering: .sequentiallyConsistent) }
            let cancellable = isWrapped ? AnyCancellable(sink) : sink
            let late = Log<Int>()
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    for index in 0..<100 { subject.send(index) }
                } else {
                    cancellable.cancel()
                    late.append(received.load(ordering: .sequentiallyConsistent))
                }
            }
            // One delivery may have begun before.
            expect(late.items.allSatisfy { received.load(ordering: .relaxed) - $0 <= 1 })
        }
    }

    @Test("A thread that cancels while another one does also runs the cancellation before it returns")
    func secondThread() {
        final class Slow: Cancellable, Sendable {
            let calls = Atomic<Int>(0)
            let (begun, mayEnd) = (Latch(), Latch())
            func cancel() {
                guard calls.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0 else { return }
                begun.open()
                mayEnd.wait()
            }
        }
        let slow = Slow()
        let cancellable = AnyCancellable(slow)
        let elsewhere = DispatchQueue(label: "elsewhere")
        elsewhere.async { cancellable.cancel() }
        slow.begun.wait()
        cancellable.cancel()
        expectEqual(slow.calls.load(ordering: .sequentiallyConsistent), 2)
        slow.mayEnd.open()
        elsewhere.sync {}
        cancellable.cancel()
        expectEqual(slow.calls.load(ordering: .sequentiallyConsistent), 2)
    }

    @Test("A cancellation that cancels its own `AnyCancellable` does not start again")
    func cancelInside() {
        final class Loop: Cancellable {
            var calls = 0
            var handle: AnyCancellable?
            func cancel() {
                calls += 1
                handle?.cancel()
            }
        }
        let loop = Loop()
        loop.handle = AnyCancellable(loop)
        loop.handle?.cancel()
        expectEqual(loop.calls, 1)
        loop.handle = nil
        expectEqual(loop.calls, 1)
    }

    @Test("`AnyCancellable` releases its closure and content once it has cancelled them", arguments: [false, true])
    func letsGo(isClosure: Bool) {
        weak var token: Token?
        let cancellable: AnyCancellable
        do {
            let captured = Token()
            token = captured
            if isClosure {
                cancellable = AnyCancellable { _ = captured }
            } else {
                let subject = PassthroughSubject<Int, Never>()
                var subscription: (any Subscription)?
                subject.map { captured.pass($0) }.subscribe(
                    AnySubscriber(receiveSubscription: { subscription = $0 }))
                let held = subscription.take() ?? Subscriptions.empty
                cancellable = AnyCancellable(held)
            }
        }
        expect(token != nil)
        cancellable.cancel()
        expect(token == nil)
    }

    /// The ways in which one cancellable is nested in another.
    enum Nest: CaseIterable, Sendable {
        case wrapped, called, held, custom, erased

        func around(_ inner: AnyCancellable) -> AnyCancellable {
            switch self {
            case .wrapped: AnyCancellable(inner)
            case .called: AnyCancellable { inner.cancel() }
            case .held: AnyCancellable { withExtendedLifetime(inner) {} }
            case .custom: AnyCancellable(Custom(inner: inner))
            case .erased: Self.erased(inner)
            }
        }

        /// A number of cancellables around one that reports its cancellation, and must be released afterwards.
        func nest(_ depth: Int, _ cancelled: @escaping @Sendable () -> Void) -> AnyCancellable {
            (0..<depth).reduce(AnyCancellable(cancelled)) { inner, _ in around(inner) }
        }

        private static func erased(_ inner: any Cancellable) -> AnyCancellable { AnyCancellable(inner) }

        private struct Custom: Cancellable {
            let inner: AnyCancellable
            func cancel() { inner.cancel() }
        }
    }

    /// The depth of nested cancellables that must use constant stack.
    private static let depth = Budget.size(50_000, quick: 6_000)

    /// The ways in which nested cancellables end.
    enum NestEnd: CaseIterable, Sendable { case cancelled, released }

    @Test(
        "Thousands of nested cancellables are cancelled and released on a small stack", arguments: Nest.allCases, NestEnd.allCases
    )
    func deepNest(_ nest: Nest, _ end: NestEnd) {
        let log = Log<String>()
        let released = Log<String>()
        Worker(stackSize: 1 << 19) {
            var outermost: AnyCancellable?
            do {
                let token = Watched { released.append("released") }
                outermost = nest.nest(Self.depth) { token.pass(log.append("cancelled")) }
            }
            if end == .cancelled { outermost?.cancel() } else { outermost = nil }
            log.append("done")
            released.append("done")
            outermost = nil
        }.wait()
        expectEqual(log.items, ["cancelled", "done"])
        expectEqual(released.items, ["released", "done"])
    }

    @Test("The innermost of nested cancellables is cancelled once, before `cancel` or the release returns")
    func nests() {
        for nest in Nest.allCases {
            for end in NestEnd.allCases {
                for depth in Array(0...2) + Array(98...102) + Array(198...202) + [1000] {
                    let log = Log<String>()
                    var outermost: AnyCancellable? = nest.nest(depth) { log.append("cancelled") }
                    if end == .cancelled { outermost?.cancel() } else { outermost = nil }
                    expectEqual(log.items, ["cancelled"], "\(depth) \(nest), \(end)")
                    outermost?.cancel()
                    outermost = nil
                    expectEqual(log.items, ["cancelled"], "\(depth) \(nest), \(end), again")
                }
            }
        }
    }

    @Test("Deeply nested cancellables are cancelled while another thread cancels other ones", arguments: Nest.allCases)
    func twoNests(_ nest: Nest) {
        let (isAmidst, goOn) = (Latch(), Latch())
        let (slow, quick) = (Log<Int>(), Log<Int>())
        let slowOne = Worker(stackSize: 1 << 19) {
            let inner = nest.nest(Self.depth) { slow.append(1) }
            AnyCancellable {
                isAmidst.open()
                goOn.wait()
                inner.cancel()
            }.cancel()
            slow.append(2)
        }
        isAmidst.wait()
        Worker(stackSize: 1 << 19) {
            nest.nest(Self.depth) { quick.append(1) }.cancel()
            quick.append(2)
        }.wait()
        expectEqual(quick.items, [1, 2])
        expectEqual(slow.items, [])
        goOn.open()
        slowOne.wait()
        expectEqual(slow.items, [1, 2])
    }

    @Test(
        "A long chain of erased publishers that retains deeply nested cancellables is released on a small stack",
        arguments: Nest.allCases)
    func nestInChain(_ nest: Nest) {
        let log = Log<Int>()
        Worker(stackSize: 1 << 19) {
            do {
                let inner = nest.nest(Self.depth) { log.append(1) }
                var chain: Ints = Deferred { withExtendedLifetime(inner) { Empty() } }.eraseToAnyPublisher()
                for _ in 0..<Self.depth { chain = chain.map { $0 }.eraseToAnyPublisher() }
            }
            log.append(2)
        }.wait()
        expectEqual(log.items, [1, 2])
    }

    private final class Watched: Sendable {
        private let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
        func pass<Value>(_ value: Value) -> Value { value }
    }
}

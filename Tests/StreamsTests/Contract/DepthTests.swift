import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Depth and size", .serialized, .timeLimit(.minutes(20)))
struct DepthTests {
    static let million = 1_000_000

    @Test("a million values sent from inside deliveries need no stack")
    func reentrantSends() {
        var count = 0
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.sink { value in
            count += 1
            if value < Self.million { subject.send(value + 1) }
        }
        subject.send(1)
        #expect(count == Self.million)
        cancellable.cancel()
    }

    @Test("a hundred thousand changes of a value from inside deliveries need no stack")
    func reentrantChanges() {
        var count = 0
        let subject = CurrentValueSubject<Int, Never>(0)
        let cancellable = subject.sink { value in
            count += 1
            if value < 100_000 { subject.value += 1 }
        }
        #expect(count == 100_001)
        cancellable.cancel()
    }

    @Test("a hundred thousand values sent round a merge need no stack")
    func reentrantMerge() {
        var count = 0
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let cancellable = a.map { $0 }.merge(with: b).sink { value in
            count += 1
            if value < 100_000 { (value % 2 == 0 ? a : b).send(value + 1) }
        }
        a.send(1)
        #expect(count == 100_000)
        cancellable.cancel()
    }

    @Test("a million elements go through a flatMap that takes one at a time")
    func flatMapOneAtATime() {
        var sum = 0
        _ = (1...Self.million).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.sink { sum += $0 }
        #expect(sum == Self.million * (Self.million + 1) / 2)
    }

    @Test("a million elements asked for one by one need no stack")
    func oneByOne() {
        var seen: [Int] = []
        (1...Self.million).publisher.filter { $0 % 1_000 == 0 }.map { $0 }.subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: {
                    seen.append($0)
                    return .max(1)
                }))
        #expect(seen.count == 1_000)
    }

    @Test("a hundred thousand values are requested one by one from inside, through joined publishers")
    func requestsFromInside() {
        for publisher in [
            OperatorCase.sequence(Array(0..<100_000)).append(-1).eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100_000)).merge(with: Empty()).append(-1).eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100_000)).flatMap(maxPublishers: .max(1)) { OperatorCase.sequence([$0]) }
                .append(-1).eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100_000)).receive(on: ImmediateScheduler.shared).append(-1)
                .eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100_000)).delay(for: 1, scheduler: ImmediateScheduler.shared).append(-1)
                .eraseToAnyPublisher(),
        ] {
            let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)])) { recorder, _ in
                recorder.request(.max(1))
            }
            publisher.subscribe(recorder)
            #expect(recorder.isFinished)
            #expect(recorder.violations == [])
        }
    }

    @Test("ten thousand subscribers of one subject leave in any order", arguments: [false, true])
    func manySubscribers(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        var random = Dice(seed: 5)
        var count = 0
        var cancellables = (0..<10_000).map { _ in
            subject.publisher.sink(receiveCompletion: { _ in }) { _ in count += 1 }
        }
        cancellables.shuffle(using: &random)
        for expected in [10_000, 7_500, 5_000, 2_500, 1] {
            cancellables.removeLast(cancellables.count - expected)
            count = 0
            subject.send(1)
            #expect(count == expected)
        }
        cancellables = []
        count = 0
        subject.send(1)
        #expect(count == 0)
    }

    @Test("ten thousand subscribers that all cancel from inside one delivery get that value and no other")
    func allLeaveInside() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorders = (0..<10_000).map { _ in Recorder<Int, Oops> { recorder, _ in recorder.cancel() } }
        for recorder in recorders { subject.subscribe(recorder) }
        subject.send(1)
        subject.send(2)
        #expect(recorders.allSatisfy { $0.values == [1] })
    }

    @Test("a chain of a thousand operators carries values and can be cancelled")
    func longChain() {
        let subject = PassthroughSubject<Int, Oops>()
        var chain = subject.eraseToAnyPublisher()
        for index in 0..<1_000 {
            chain =
                index % 2 == 0
                ? chain.map { $0 + 1 }.eraseToAnyPublisher() : chain.handleEvents().eraseToAnyPublisher()
        }
        let recorder = Recorder<Int, Oops>()
        chain.subscribe(recorder)
        subject.send(0)
        #expect(recorder.values == [500])
        recorder.cancel()
        subject.send(1)
        #expect(recorder.values == [500])
    }

    @Test("a chain of subscribers too long to call through is released all the same")
    func longSubscribedChain() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        let watched = Watched()
        // To subscribe is to call through the chain: that takes a large stack. To cancel must not.
        Worker(stackSize: 1 << 30) { Self.subscribeLongChain(to: subject, recorder, watched) }.wait()
        #expect(watched.token != nil)
        recorder.cancel()
        #expect(watched.token == nil)
    }

    private final class Watched: @unchecked Sendable {
        // Sound: written before another thread begins or has ended, read when it has.
        weak var token: Token?
    }

    private static func subscribeLongChain(
        to subject: PassthroughSubject<Int, Oops>, _ recorder: Recorder<Int, Oops>, _ watched: Watched
    ) {
        let captured = Token()
        watched.token = captured
        var chain = subject.eraseToAnyPublisher()
        for _ in 0..<20_000 { chain = chain.map { captured.pass($0) }.eraseToAnyPublisher() }
        chain.subscribe(recorder)
    }

    @Test("a chain of a hundred thousand operators that nobody subscribes to is released", arguments: [false, true])
    func longChainReleased(intercepts: Bool) {
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            var chain: Ints = Deferred { captured.pass(Empty()) }.eraseToAnyPublisher()
            for _ in 0..<100_000 {
                chain = intercepts ? chain.append(1).eraseToAnyPublisher() : chain.map { $0 }.eraseToAnyPublisher()
            }
        }
        #expect(token == nil)
    }

    @Test("a chain of a hundred thousand operators is released while another thread is in the midst of one")
    func longChainReleasedBesideAnother() {
        let (isAmidst, goOn) = (Latch(), Latch())
        let (slow, quick) = (Watched(), Watched())
        let slowOne = Worker(stackSize: 1 << 19) {
            Self.releaseLongChain(slow) {
                isAmidst.open()
                goOn.wait()
            }
        }
        isAmidst.wait()
        Worker(stackSize: 1 << 19) { Self.releaseLongChain(quick) {} }.wait()
        #expect(quick.token == nil)
        #expect(slow.token != nil, "the other is still in the midst")
        goOn.open()
        slowOne.wait()
        #expect(slow.token == nil)
    }

    /// Makes a chain and lets go of it. Its outermost operator makes a call in its end, before the innermost is let go of.
    private static func releaseLongChain(_ watched: Watched, calling call: @escaping @Sendable () -> Void) {
        let captured = Token()
        watched.token = captured
        var chain: Ints = Deferred { captured.pass(Empty()) }.eraseToAnyPublisher()
        for _ in 0..<100_000 { chain = chain.map { $0 }.eraseToAnyPublisher() }
        let last = CallWhenReleased(call)
        chain = Deferred { [chain] in last.pass(chain) }.eraseToAnyPublisher()
    }

    private final class CallWhenReleased: Sendable {
        private let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
        func pass(_ chain: Ints) -> Ints { chain }
    }

    @Test("publishers that append each other five hundred deep send all in order")
    func nestedAppends() {
        let recorder = Recorder<Int, Oops>()
        Self.countdown(from: 500).subscribe(recorder)
        #expect(recorder.values == Array((1...500).reversed()))
        #expect(recorder.isFinished)
    }

    private static func countdown(from number: Int) -> Ints {
        if number == 0 { return Empty().eraseToAnyPublisher() }
        return OperatorCase.sequence([number]).append(Deferred { countdown(from: number - 1) }).eraseToAnyPublisher()
    }
}

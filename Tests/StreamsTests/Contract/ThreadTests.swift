import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Contract, rule 7: threads")
struct ThreadTests {
    static let senders = 4
    static let perSender = Budget.size(2_000, quick: 400)

    private func expectAll(_ recorder: Recorder<Int, Oops>, sourceLocation: SourceLocation = #_sourceLocation) {
        let values = recorder.values
        expectEqual(values.count, Self.senders * Self.perSender, sourceLocation: sourceLocation)
        for sender in 0..<Self.senders {
            let own = values.filter { $0 % Self.senders == sender }
            let isInOrder = own == own.sorted()
            expect(isInOrder, "each thread's values keep their order", sourceLocation: sourceLocation)
        }
        expectEqual(recorder.violations, [], sourceLocation: sourceLocation)
    }

    @Test("A subject that several threads send to loses no value, and all subscribers see one order", arguments: [false, true])
    func subject(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        subject.publisher.subscribe(a)
        subject.publisher.subscribe(b)
        onThreads(Self.senders) { sender in
            for index in 0..<Self.perSender { subject.send(index * Self.senders + sender + Self.senders) }
        }
        let sent = keepsCurrent ? a.values.dropFirst() : a.values[...]
        let isComplete = sent.sorted() == Array(Self.senders..<Self.senders * (Self.perSender + 1))
        let isSame = a.values == b.values
        expect(isComplete)
        expect(isSame)
        expectEqual(a.violations + b.violations, [])
    }

    @Test("`value` is the value that was delivered last after several threads have sent")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Oops>(-1)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        onThreads(Self.senders) { sender in
            for index in 0..<Self.perSender { subject.value = index * Self.senders + sender }
        }
        expectEqual(subject.value, recorder.values.last)
    }

    @Test("A subscriber that subscribes while threads send misses no value after its first")
    func joinWhileSending() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let reference = Recorder<Int, Oops>()
        subject.subscribe(reference)
        let joined = Log<Recorder<Int, Oops>>()
        onThreads(3) { thread in
            if thread == 0 {
                for _ in 0..<Budget.size(200, quick: 50) {
                    let recorder = Recorder<Int, Oops>()
                    joined.append(recorder)
                    subject.subscribe(recorder)
                }
            } else {
                for index in 1...Self.perSender { subject.send(index * 2 + thread) }
            }
        }
        for recorder in joined.items {
            let missesNothing = recorder.values == Array(reference.values.suffix(recorder.values.count))
            expect(missesNothing)
            expect(!recorder.values.isEmpty)
            expectEqual(recorder.violations, [])
        }
    }

    @Test("`merge` of publishers on several threads loses no value, and its deliveries never overlap")
    func merge() {
        let subjects = (0..<Self.senders).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        Publishers.MergeMany(subjects).subscribe(recorder)
        onThreads(Self.senders) { sender in
            for index in 0..<Self.perSender { subjects[sender].send(index * Self.senders + sender) }
            subjects[sender].send(completion: .finished)
        }
        expectAll(recorder)
        expect(recorder.isFinished)
    }

    @Test("`flatMap` of publishers on several threads loses no value, and its deliveries never overlap")
    func flatMap() {
        let subjects = (0..<Self.senders).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        OperatorCase.sequence(Array(0..<Self.senders)).flatMap { subjects[$0] }.subscribe(recorder)
        onThreads(Self.senders) { sender in
            for index in 0..<Self.perSender { subjects[sender].send(index * Self.senders + sender) }
            subjects[sender].send(completion: .finished)
        }
        expectAll(recorder)
        expect(recorder.isFinished)
    }

    @Test("A source that several threads request from sends exactly as many values as they request together")
    func requests() {
        let sources: [Ints] = [
            OperatorCase.sequence(Array(0..<100_000)).eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100)).append(Array(100..<100_000)).eraseToAnyPublisher(),
            OperatorCase.sequence(Array(0..<100_000)).flatMap(maxPublishers: .max(1)) { OperatorCase.sequence([$0]) }
                .eraseToAnyPublisher(),
        ]
        for source in sources {
            let recorder = Recorder<Int, Oops>(.nothing)
            source.subscribe(recorder)
            onThreads(Self.senders) { _ in
                for _ in 0..<Self.perSender { recorder.request(.max(1)) }
            }
            let isExact = recorder.values == Array(0..<Self.senders * Self.perSender)
            expect(isExact)
            expectEqual(recorder.violations, [])
        }
    }

    @Test("After `cancel` has returned, at most the delivery that had begun on another thread continues")
    func cancelWhileSending() {
        for _ in 0..<Budget.rounds(200, least: 20) {
            let subject = PassthroughSubject<Int, Never>()
            let received = Atomic<Int>(0)
            let cancellable = subject.sink { _ in received.wrappingAdd(1, ordering: .sequentiallyConsistent) }
            let atCancel = Atomic<Int>(0)
            onThreads(2) { thread in
                if thread == 0 {
                    for index in 0..<200 { subject.send(index) }
                } else {
                    cancellable.cancel()
                    atCancel.store(received.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
                }
            }
            let late = received.load(ordering: .relaxed) - atCancel.load(ordering: .relaxed)
            expect((0...1).contains(late))
        }
    }

    @Test("A cancellable that several threads cancel at once cancels once")
    func cancelTogether() {
        for _ in 0..<Budget.rounds(200, least: 20) {
            let calls = Log<Int>()
            let cancellable = AnyCancellable { calls.append(1) }
            onThreads(Self.senders) { _ in cancellable.cancel() }
            expectEqual(calls.items, [1])
        }
    }

    @Test("Subscribers that subscribe and cancel on several threads do not disturb another subscriber")
    func comeAndGo() {
        let subject = PassthroughSubject<Int, Never>()
        let stable = Log<Int>()
        let cancellable = subject.sink { stable.append($0) }
        onThreads(Self.senders) { thread in
            for index in 0..<500 {
                if thread == 0 {
                    subject.send(index)
                } else {
                    var own: [Int] = []
                    let link = subject.sink { own.append($0) }
                    link.cancel()
                }
            }
        }
        expectEqual(stable.items, Array(0..<500))
        cancellable.cancel()
    }

    @Test("A future that several threads fulfill at once has the same result for every subscriber")
    func promises() {
        for _ in 0..<Budget.rounds(200, least: 20) {
            let promises = Log<Future<Int, Oops>.Promise>()
            let future = Future<Int, Oops> { promises.append($0) }
            let recorders = (0..<Self.senders).map { _ in Recorder<Int, Oops>() }
            onThreads(Self.senders) { thread in
                if thread % 2 == 0 { future.subscribe(recorders[thread]) }
                promises.items[0](.success(thread))
                if thread % 2 == 1 { future.subscribe(recorders[thread]) }
            }
            expectEqual(Set(recorders.map(\.values)).count, 1)
            expect(recorders.allSatisfy { $0.values.count == 1 && $0.isFinished && $0.violations.isEmpty })
        }
    }

    @Test("A share whose subscribers subscribe and cancel on several threads cancels its upstream in the end")
    func share() {
        for _ in 0..<Budget.rounds(100, least: 20) {
            let probe = Probe<Int, Oops>()
            let shared = probe.share()
            onThreads(Self.senders) { _ in
                let recorder = Recorder<Int, Oops>()
                shared.subscribe(recorder)
                recorder.cancel()
            }
            expectEqual(probe.cancellations, probe.subscriptions)
            expect(!probe.isSubscriptionAlive)
        }
    }

    @Test("`receive(on:)` a concurrent queue delivers values in order, one at a time")
    func receiveOnConcurrentQueue() {
        let count = Budget.size(20_000, quick: 1_000)
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let done = Latch()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        let end = subject.receive(on: queue).handleEvents(receiveCompletion: { _ in done.open() })
        end.subscribe(recorder)
        for index in 0..<count { subject.send(index) }
        subject.send(completion: .finished)
        done.wait()
        let isInOrder = recorder.values == Array(0..<count)
        expect(isInOrder)
        expectEqual(recorder.violations, [])
    }

    @Test("`delay` on a concurrent queue delivers values in order, one at a time")
    func delayOnConcurrentQueue() {
        let count = Budget.size(5_000, quick: 1_000)
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let done = Latch()
        let recorder = Recorder<Int, Oops>()
        OperatorCase.sequence(Array(0..<count)).delay(for: 0, scheduler: queue)
            .handleEvents(receiveCompletion: { _ in done.open() })
            .subscribe(recorder)
        done.wait()
        let isInOrder = recorder.values == Array(0..<count)
        expect(isInOrder)
        expectEqual(recorder.violations, [])
    }

    @Test("An operator delivers a value on the thread that sent it", arguments: OperatorCase.all)
    func sameThread(_ operation: OperatorCase) {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "own")
        queue.setSpecific(key: key, value: true)
        let here = Log<Bool>()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, _ in here.append(DispatchQueue.getSpecific(key: key) == true) }
        operation.apply(subject.eraseToAnyPublisher(), Token()).subscribe(recorder)
        let before = here.items.count
        queue.sync { for value in [1, 2, 4, 5] { subject.send(value) } }
        expect(here.items.dropFirst(before).allSatisfy { $0 })
        expect(here.items.count > before || operation.finishesEarly([]))
    }

    @Test("A thread that delivers values of a sequence does not deliver those that another thread requests meanwhile")
    func othersAskASequence() {
        let threads = Log<UInt>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "1", atStart: [.max(1)])) { recorder, value in
            threads.append(currentThread())
            if value == 1 { elsewhere { recorder.request(.max(2)) } }
        }
        OperatorCase.sequence([1, 2, 3, 4]).subscribe(recorder)
        settle()
        expectEqual(recorder.values, [1, 2, 3])
        let isHere = threads.items.map { $0 == currentThread() }
        expectEqual(isHere, [true, false, false])
        expectEqual(recorder.violations, [])
    }
}

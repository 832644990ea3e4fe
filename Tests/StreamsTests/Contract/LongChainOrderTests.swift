import MoonlightTestSupport
import Streams
import Testing

/// Long chains of erased publishers deliver in the same order as short ones.
@Suite("Long chains deliver in the order of short ones", .serialized)
struct LongChainOrderTests {
    static let lengths = [0, 1, 40]

    private static func chain<P: Publisher<Int, Never>>(_ length: Int, on source: P) -> AnyPublisher<Int, Never> {
        var chain = source.eraseToAnyPublisher()
        for _ in 0..<length { chain = chain.map { $0 }.eraseToAnyPublisher() }
        return chain
    }

    /// A log of events and their places, as one line.
    private final class Notes: @unchecked Sendable {
        // Sound: each test uses its log on one thread.
        var items: [String] = []
        func add(_ item: String) { items.append(item) }
    }

    @Test("A chain of any length has delivered its ready values when `sink` returns", arguments: lengths)
    func readyInPlainCode(length: Int) {
        for source in [
            Just(1).eraseToAnyPublisher(), [1, 2, 3].publisher.eraseToAnyPublisher(),
            Just(1).handleEvents().eraseToAnyPublisher(),
        ] {
            let notes = Notes()
            _ = Self.chain(length, on: source).sink(
                receiveCompletion: { _ in notes.add("end") }, receiveValue: { notes.add("\($0)") })
            expectEqual(notes.items.last, "end")
            expectEqual(notes.items.first, "1")
        }
    }

    @Test("A chain of any length has delivered a value when `send` returns", arguments: lengths)
    func sentInPlainCode(length: Int) {
        let (subject, current) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
        let notes = Notes()
        let cancellables = [
            Self.chain(length, on: subject).sink { notes.add("\($0)") },
            Self.chain(length, on: current).sink { notes.add("\($0)") },
        ]
        notes.add("|")
        subject.send(1)
        notes.add("|")
        current.value = 2
        notes.add("|")
        expectEqual(notes.items, ["0", "|", "1", "|", "2", "|"])
        withExtendedLifetime(cancellables) {}
    }

    @Test(
        "A long chain inside a delivery of another one has delivered its ready values when `sink` returns", arguments: lengths)
    func readyInsideADelivery(length: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let notes = Notes()
        let cancellable = Self.chain(length, on: subject).sink { outer in
            notes.add("begin \(outer)")
            _ = Self.chain(length, on: [10, 20].publisher.map { $0 + outer }).sink { notes.add("\($0)") }
            notes.add("end \(outer)")
        }
        for value in 1...2 { subject.send(value) }
        expectEqual(notes.items, ["begin 1", "11", "21", "end 1", "begin 2", "12", "22", "end 2"])
        cancellable.cancel()
    }

    @Test(
        "A value that is sent during a delivery of another long chain has been delivered when `send` returns", arguments: lengths)
    func sentInsideADelivery(length: Int) {
        let (outer, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let notes = Notes()
        let cancellables = [
            Self.chain(length, on: inner).sink { notes.add("\($0)") },
            Self.chain(length, on: outer).sink { value in
                inner.send(value)
                notes.add("sent \(value)")
            },
        ]
        for value in 1...2 { outer.send(value) }
        expectEqual(notes.items, ["1", "sent 1", "2", "sent 2"])
        withExtendedLifetime(cancellables) {}
    }

    @Test("A closure in a long chain can subscribe to another long chain and use its values", arguments: lengths)
    func usedInTheMidst(length: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let notes = Notes()
        let nested = { @Sendable (value: Int) -> Int in
            var sum = 0
            _ = Self.chain(length, on: [value, value].publisher).sink { sum += $0 }
            return sum
        }
        // Next to the source, and next to the end.
        for source in [
            subject.eraseToAnyPublisher(), [1].publisher.eraseToAnyPublisher(),
            Deferred { Just(nested(0) + 1) }.eraseToAnyPublisher(),
        ] {
            let cancellable = Self.chain(length, on: source.map(nested)).map(nested).sink { notes.add("\($0)") }
            subject.send(1)
            cancellable.cancel()
        }
        expectEqual(notes.items, ["4", "4", "4"])
    }

    @Test("A long chain has delivered the requested values when `request` returns", arguments: lengths)
    func requested(length: Int) {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)]))
        Self.chain(length, on: (1...9).publisher).subscribe(recorder)
        expectEqual(recorder.values, [1])
        recorder.request(.max(2))
        expectEqual(recorder.values, [1, 2, 3])
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = Self.chain(length, on: subject).sink { recorder.request(.max($0)) }
        subject.send(2)
        expectEqual(recorder.values, Array(1...5))
        recorder.cancel()
        recorder.request(.max(1))
        expectEqual(recorder.values, Array(1...5))
        expectEqual(recorder.violations, [])
        cancellable.cancel()
    }

    @Test("A long chain serves each request that is made during a delivery", arguments: lengths)
    func requestedInside(length: Int) {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)])) { recorder, value in
            if value < 500 { recorder.request(.max(1)) }
        }
        Self.chain(length, on: (1...).publisher).subscribe(recorder)
        expectEqual(recorder.values, Array(1...500))
        let returning = Recorder<Int, Never>(
            Appetite(description: "", atStart: [.max(1)], returned: Array(repeating: .max(1), count: 99)))
        Self.chain(length, on: (1...).publisher).subscribe(returning)
        expectEqual(returning.values, Array(1...100))
        expectEqual(recorder.violations, [])
        expectEqual(returning.violations, [])
    }

    @Test("An endless source above a long chain ends when an operator below cancels it", arguments: lengths)
    func endlessSource(length: Int) {
        let recorder = Recorder<Int, Never>()
        Self.chain(length, on: (1...).publisher).prefix(3).subscribe(recorder)
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
    }

    @Test("An endless source within a long chain ends when an operator below cancels it", arguments: lengths)
    func endlessSourceInTheMidst(length: Int) {
        let recorder = Recorder<Int, Never>()
        let inner = Self.chain(length, on: Just(1)).flatMap { ($0...).publisher.handleEvents() }
        Self.chain(length, on: inner).prefix(5).subscribe(recorder)
        expectEqual(recorder.values, Array(1...5))
        expect(recorder.isFinished)
    }

    @Test("Operators that send several values for one keep their order at every place of a long chain", arguments: lengths)
    func multiplied(length: Int) {
        let recorder = Recorder<Int, Never>()
        let twice = Self.chain(length, on: [1, 2, 3].publisher).flatMap {
            Self.chain(length, on: [$0 * 10, $0 * 10 + 1].publisher)
        }
        let thrice = Self.chain(length, on: twice).flatMap { [$0 * 10, $0 * 10 + 1, $0 * 10 + 2].publisher.handleEvents() }
        Self.chain(length, on: thrice).append(7).subscribe(recorder)
        let expected = [100, 101, 102, 110, 111, 112, 200, 201, 202, 210, 211, 212, 300, 301, 302, 310, 311, 312, 7]
        expectEqual(recorder.values, expected)
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test(
        "`flatMapLatest` delivers the ready values of an inner long chain before it switches to the next one", arguments: lengths)
    func switched(length: Int) {
        let recorder = Recorder<Int, Never>()
        let latest = Self.chain(length, on: [1, 2].publisher).flatMapLatest {
            Self.chain(length, on: [$0 * 10, $0 * 10 + 1].publisher)
        }
        Self.chain(length, on: latest).subscribe(recorder)
        expectEqual(recorder.values, [10, 11, 20, 21])
        expect(recorder.isFinished)
    }

    @Test("`merge` subscribes to long chains in turn, and each sends its ready values first", arguments: lengths)
    func merged(length: Int) {
        let recorder = Recorder<Int, Never>()
        let (a, b) = (Self.chain(length, on: [1, 2].publisher), Self.chain(length, on: [3, 4].publisher))
        Self.chain(length, on: a.merge(with: b, [5].publisher)).subscribe(recorder)
        expectEqual(recorder.values, [1, 2, 3, 4, 5])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`merge` subscribes to upstreams of different depths in the order in which they are listed", arguments: lengths)
    func orderOfUpstreams(length: Int) {
        let notes = Notes()
        let (deep, flat) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let a = Self.chain(length, on: deep.handleEvents(receiveSubscription: { _ in notes.add("a") }))
        let b = flat.handleEvents(receiveSubscription: { _ in notes.add("b") })
        let chains = [
            a.merge(with: b).eraseToAnyPublisher(), a.merge(with: b, b).eraseToAnyPublisher(),
            Publishers.MergeMany([a, b.eraseToAnyPublisher()]).eraseToAnyPublisher(),
            a.zip(b).map { $0 + $1 }.eraseToAnyPublisher(),
            a.combineLatest(b).map { $0 + $1 }.eraseToAnyPublisher(), b.prefix(untilOutputFrom: a).eraseToAnyPublisher(),
            b.drop(untilOutputFrom: a).eraseToAnyPublisher(), b.withLatestFrom(a).eraseToAnyPublisher(),
        ]
        for chain in chains {
            Self.chain(length, on: chain).sink { _ in }.cancel()
            notes.add(".")
        }
        expectEqual(notes.items.joined(), "ab.abb.ab.ab.ab.ab.ab.ab.")
    }

    @Test(
        "A merge above a long chain subscribes to all upstreams at once if a scheduler or `flatMap` subscribes to it later",
        arguments: lengths)
    func subscribedLater(length: Int) {
        let (scheduler, elements) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let merge = a.map { $0 }.merge(with: b)
        let (scheduled, mapped) = (Recorder<Int, Never>(), Recorder<Int, Never>())
        Self.chain(length, on: merge.subscribe(on: scheduler)).subscribe(scheduled)
        Self.chain(length, on: elements.flatMap { _ in merge }).subscribe(mapped)
        scheduler.advance()
        elements.send(0)
        a.send(1)
        b.send(2)
        expectEqual(scheduled.values, [1, 2])
        expectEqual(mapped.values, [1, 2])
    }

    @Test("A value that is sent during a delivery of the same long chain is delivered afterwards", arguments: lengths)
    func reentered(length: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let notes = Notes()
        let cancellable = Self.chain(length, on: Self.chain(length, on: subject).merge(with: subject.map { $0 * 10 })).sink {
            value in
            notes.add("\(value)")
            if value < 3 { subject.send(value + 1) }
            notes.add("/")
        }
        subject.send(1)
        expectEqual(notes.items, ["1", "/", "10", "/", "2", "/", "20", "/", "3", "/", "30", "/"])
        cancellable.cancel()
    }

    @Test(
        "A long chain that is cancelled during a delivery sends nothing more, and cancels its source at once",
        arguments: lengths)
    func cancelledInside(length: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let notes = Notes()
        let recorder = Recorder<Int, Never> { recorder, value in
            recorder.cancel()
            notes.add("cancelled")
        }
        Self.chain(length, on: subject.handleEvents(receiveCancel: { notes.add("closed") })).subscribe(recorder)
        for value in 1...2 { subject.send(value) }
        expectEqual(recorder.values, [1])
        expectEqual(notes.items, ["closed", "cancelled"])
    }
}

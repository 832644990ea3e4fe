import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `merge`")
struct MergeTests {
    /// Merges a number of the subjects.
    private func merged(_ count: Int, of s: [PassthroughSubject<Int, Oops>]) -> Ints {
        switch count {
        case 2: s[0].map { $0 }.merge(with: s[1]).eraseToAnyPublisher()
        case 3: s[0].merge(with: s[1], s[2]).eraseToAnyPublisher()
        case 4: s[0].merge(with: s[1], s[2], s[3]).eraseToAnyPublisher()
        case 5: s[0].merge(with: s[1], s[2], s[3], s[4]).eraseToAnyPublisher()
        case 6: s[0].merge(with: s[1], s[2], s[3], s[4], s[5]).eraseToAnyPublisher()
        case 7: s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6]).eraseToAnyPublisher()
        case 8: s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7]).eraseToAnyPublisher()
        default: Publishers.MergeMany(s.prefix(count)).eraseToAnyPublisher()
        }
    }

    @Test("`merge` sends values in the order in which they arrive, and completes with its last upstream", arguments: 0...9)
    func allOfThem(count: Int) {
        let subjects = (0..<9).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        merged(count, of: subjects).subscribe(recorder)
        for round in 0..<2 {
            for index in (0..<count).reversed() { subjects[index].send(index + round * 10) }
        }
        let order = Array((0..<count).reversed())
        let sent: [Int] = order + order.map { $0 + 10 }
        expectEqual(recorder.values, sent)
        for index in 0..<count {
            expectEqual(recorder.completions, [])
            subjects[index].send(completion: .finished)
        }
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`merge` does not request another value of an upstream whose value waits for demand")
    func waitingValue() {
        let probes = (0..<3).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)])) { _, value in
            guard value == 0 else { return }
            probes[1].send(1)
            probes[2].send(2)
        }
        probes[0].merge(with: probes[1], probes[2]).subscribe(recorder)
        probes[0].send(0)
        expectEqual(recorder.values, [0, 1])
        expectEqual(probes[1].demand, .max(1))
        expectEqual(probes[2].demand, .none)
        recorder.request(.max(1))
        expectEqual(recorder.values, [0, 1, 2])
        expectEqual(probes[2].demand, .max(1))
    }

    @Test("`merge` fails when one upstream fails", arguments: 2...9)
    func failure(count: Int) {
        let subjects = (0..<9).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        merged(count, of: subjects).subscribe(recorder)
        subjects[0].send(completion: .finished)
        subjects[count - 1].send(completion: .failure(.second))
        subjects[0].send(1)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [.failure(.second)])
    }

    @Test("`merge` counts an upstream that finishes twice once")
    func finishesTwice() {
        let (careless, other) = (Probe<Int, Oops>(isDeaf: true), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        careless.merge(with: other).subscribe(recorder)
        careless.send(completion: .finished)
        careless.send(completion: .finished)
        other.send(1)
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
    }

    @Test("`merge` of two publishers of one type is a `MergeMany`, to which others can be added")
    func many() {
        let many = Publishers.MergeMany([1].publisher, [2].publisher).merge(with: [3].publisher)
        let recorder = Recorder<Int, Never>()
        many.subscribe(recorder)
        expectEqual(recorder.values, [1, 2, 3])
    }

    @Test("A merge that reaches the merge of its publisher late is subscribed to")
    func late() {
        let keeper = Gatekeeper<Publishers.Merge<Just<Int>, Just<Int>>>()
        let recorder = Recorder<Int, Never>()
        Publishers.MergeMany([keeper]).subscribe(recorder)
        expectEqual(recorder.values, [])
        keeper.open(Just(1).merge(with: Just(2)))
        expectEqual(recorder.values, [1, 2])
        expect(recorder.isFinished)
    }

    @Test("A merge of publishers without values ends the operators whose upstream it is")
    func noValues() {
        let merged = OperatorCase.sequence([1]).ignoreOutput().eraseToAnyPublisher()
            .merge(with: OperatorCase.sequence([2]).ignoreOutput().eraseToAnyPublisher())
        let (flattened, switched) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        merged.flatMap { (_: Never) -> Just<Int> in }.subscribe(flattened)
        merged.map { (_: Never) -> Just<Int> in }.switchToLatest().subscribe(switched)
        expect(flattened.isFinished)
        expect(switched.isFinished)
    }

    @Test("`merge` with limited demand delivers all values of ready upstreams, each upstream's in order", arguments: Appetite.all)
    func demand(appetite: Appetite) {
        let recorder = Recorder<Int, Oops>(appetite)
        OperatorCase.sequence([1, 2, 3]).merge(
            with: OperatorCase.sequence([11, 12, 13]), OperatorCase.sequence([21, 22, 23])
        ).subscribe(recorder)
        recorder.requestLater()
        expectEqual(recorder.values.count, appetite.served(of: 9))
        expectEqual(recorder.violations, [])
        recorder.request(.unlimited)
        for decade in 0..<3 { expectEqual(recorder.values.filter { $0 / 10 == decade }.map { $0 % 10 }, [1, 2, 3]) }
        expect(recorder.isFinished)
    }

    @Test("`merge` releases an upstream that has ended while others run", arguments: 0..<3)
    func releasesEnded(place: Int) {
        let probes = (0..<3).map { _ in Probe<Int, Oops>(isDeaf: true) }
        let recorder = Recorder<Int, Oops>()
        Publishers.MergeMany(probes).subscribe(recorder)
        probes[place].send(completion: .finished)
        expectEqual(probes.map(\.isSubscriptionAlive), (0..<3).map { $0 != place })
        expect(recorder.completions.isEmpty)
    }
}

/// A publisher that attaches its subscriber to another one later.
private final class Gatekeeper<Base: Publisher>: Publisher {
    typealias Output = Base.Output
    typealias Failure = Base.Failure
    private var attach: ((Base) -> Void)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach = { $0.receive(subscriber: subscriber) }
    }

    func open(_ base: Base) { attach?(base) }
}

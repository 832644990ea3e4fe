import MoonlightTestSupport
import Streams
import Testing

/// Chains of thousands of erased operators, whose use of the stack grows with their length: they are subscribed to, used,
/// cancelled and released. Optimized, five thousand fit on 512 KB, as the limits of `Benchmarks` check; a debug build needs
/// several times that.
@Suite("Very long chains", .serialized)
struct StretchTests {
    enum Link: CaseIterable, Sendable {
        case map, handleEvents, append, filter, merge

        func add(to chain: Ints, _ token: Token) -> Ints {
            switch self {
            case .map: chain.map { token.pass($0) }.eraseToAnyPublisher()
            case .handleEvents: chain.handleEvents(receiveOutput: { _ = token.pass($0) }).eraseToAnyPublisher()
            case .append: chain.append(token.pass(1)).eraseToAnyPublisher()
            case .filter: chain.filter { token.pass($0) > 0 }.eraseToAnyPublisher()
            case .merge: chain.merge(with: Empty()).eraseToAnyPublisher()
            }
        }
    }

    @Test("A very long chain can be subscribed to, requested from, cancelled and released", arguments: Link.allCases)
    func cancelled(link: Link) {
        onLargeStack {
            weak var released: Token?
            do {
                let token = Token()
                released = token
                let subject = PassthroughSubject<Int, Oops>()
                let recorder = Recorder<Int, Oops>(Appetite(description: "2", atStart: [.max(2)]))
                Self.chain(of: link, on: subject, token).subscribe(recorder)
                for value in 1...3 { subject.send(value) }
                expectEqual(recorder.values, [1, 2])
                recorder.request(.unlimited)
                subject.send(4)
                // A merge requests one value in advance.
                let all = link == .merge ? [1, 2, 3, 4] : [1, 2, 4]
                expectEqual(recorder.values, all)
                recorder.cancel()
                subject.send(5)
                expectEqual(recorder.values, all)
                expectEqual(recorder.violations, [])
            }
            expect(released == nil)
        }
    }

    @Test("A very long chain completes when its upstream does", arguments: [Link.map, .handleEvents, .filter, .merge])
    func completed(link: Link) {
        onLargeStack {
            weak var released: Token?
            do {
                let token = Token()
                released = token
                let recorder = Recorder<Int, Oops>()
                Self.chain(of: link, on: OperatorCase.sequence([1, 2, 3]), token).subscribe(recorder)
                expectEqual(recorder.values, [1, 2, 3])
                expect(recorder.isFinished)
                expectEqual(recorder.violations, [])
            }
            expect(released == nil)
        }
    }

    @Test(
        "A value that is sent during a delivery of a long chain arrives later, and a cancellation there takes effect at once"
    )
    func fromInside() {
        onLargeStack {
            let subject = PassthroughSubject<Int, Oops>()
            let recorder = Recorder<Int, Oops> { recorder, value in
                subject.send(value + 1)
                if value == 3 { recorder.cancel() }
            }
            Self.chain(of: .map, on: subject, Token(), length: 1_000).subscribe(recorder)
            subject.send(1)
            expectEqual(recorder.values, [1, 2, 3])
            expectEqual(recorder.violations, [])
        }
    }

    private static func chain(of link: Link, on source: some Publisher<Int, Oops>, _ token: Token, length: Int? = nil) -> Ints {
        let usual = Budget.size(5_000, quick: 1_000)
        var chain = source.eraseToAnyPublisher()
        for _ in 0..<(length ?? usual) { chain = link.add(to: chain, token) }
        return chain
    }

    private func onLargeStack(_ body: @escaping @Sendable () -> Void) {
        Worker(stackSize: 64 << 20, body).wait()
    }
}

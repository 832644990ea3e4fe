import MoonlightTestSupport
import Streams
import Testing

private final class Origin: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

/// The origin of a value, as seen by its subscriber.
@Suite("Origin of a delivery")
struct DeliveryOriginTests {
    /// Operators with a mailbox.
    enum Meeting: CaseIterable {
        case merge, combineLatest, flatMap

        func publisher(_ a: PassthroughSubject<Int, Never>, _ b: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> {
            switch self {
            case .merge: a.merge(with: b).eraseToAnyPublisher()
            case .combineLatest: a.combineLatest(b) { max($0, $1) }.eraseToAnyPublisher()
            case .flatMap: [a, b].publisher.flatMap { $0 }.eraseToAnyPublisher()
            }
        }
    }

    private var current: String { (WorkContext.origin as? Origin)?.name ?? "none" }

    @Test(
        "A value that is sent during another delivery keeps the origin with which it was sent, or none",
        arguments: Meeting.allCases
    )
    func left(meeting: Meeting) {
        let (a, b, log) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), Log<String>())
        let sink = meeting.publisher(a, b).sink { value in
            log.append("\(value) \((WorkContext.origin as? Origin)?.name ?? "none")")
            guard value == 1 else { return }
            WorkContext.withoutOrigin { b.send(2) }
            WorkContext.with(origin: Origin("inner")) { b.send(3) }
            WorkContext.withoutOrigin { b.send(4) }
        }
        b.send(0)
        WorkContext.with(origin: Origin("outer")) { a.send(1) }
        expectEqual(log.items.filter { !$0.hasPrefix("0") }, ["1 outer", "2 none", "3 inner", "4 none"])
        sink.cancel()
    }

    @Test("A value keeps its origin, or none, through a chain of any length", arguments: [0, 40, 100])
    func chain(length: Int) {
        let (probe, log) = (Probe<Int, Never>(), Log<String>())
        var chain = probe.eraseToAnyPublisher()
        for _ in 0..<length { chain = chain.map { $0 }.eraseToAnyPublisher() }
        let sink = chain.sink { value in
            log.append("\(value) \((WorkContext.origin as? Origin)?.name ?? "none")")
            if value == 1 { WorkContext.withoutOrigin { probe.send(2) } }
        }
        WorkContext.with(origin: Origin("outer")) { probe.send(1) }
        probe.send(3)
        expectEqual(log.items, ["1 outer", "2 none", "3 none"])
        sink.cancel()
    }

    @Test("An origin is set inside its closure, and the previous one afterwards")
    func nesting() {
        expectEqual(current, "none")
        WorkContext.with(origin: Origin("a")) {
            expect(WorkContext.hasOrigin)
            expectEqual(current, "a")
            WorkContext.with(origin: Origin("b")) { expectEqual(current, "b") }
            WorkContext.withoutOrigin { expectEqual(current, "none") }
            expectEqual(current, "a")
        }
        expectEqual(current, "none")
        WorkContext.withoutOrigin { expectEqual(current, "none") }
    }

    @Test("An origin is visible in any number of deliveries, nested and in sequence")
    func nested() {
        func nest(_ depth: Int) {
            WorkContext.with(origin: Origin("\(depth)")) {
                expect(WorkContext.hasOrigin)
                if depth < 200 { nest(depth + 1) }
                expect(WorkContext.hasOrigin)
            }
        }
        for _ in 1...3 { nest(1) }
    }

    @Test("An origin is that of its thread: neither another thread nor a task that is started meanwhile sees it")
    func otherThreads() async {
        let seen = Log<String>()
        await withCheckedContinuation { continuation in
            WorkContext.with(origin: Origin("here")) {
                elsewhere { seen.append((WorkContext.origin as? Origin)?.name ?? "none") }
                withoutTaskContext { seen.append((WorkContext.origin as? Origin)?.name ?? "none") }
                Task {
                    seen.append((WorkContext.origin as? Origin)?.name ?? "none")
                    continuation.resume()
                }
                seen.append((WorkContext.origin as? Origin)?.name ?? "none")
            }
        }
        expectEqual(seen.items.sorted(), ["here", "none", "none", "none"])
    }
}

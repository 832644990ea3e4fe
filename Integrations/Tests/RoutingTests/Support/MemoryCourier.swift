import MoonlightRouting
import Synchronization

/// Requests between routers of one process.
final class MemoryCourier: Courier {
    private final class Ear: Listening {
        let stop: @Sendable () -> Void
        init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }
        func end() { stop() }
    }

    typealias Answer = @Sendable ([UInt8]) async -> [UInt8]
    private let ears = Mutex<[String: Answer]>([:])
    private let cut = Mutex<Set<String>>([])
    private let losses = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    /// The largest request that can be sent.
    let largest = Atomic<Int>(.max)

    /// The largest answer that can be sent.
    let largestAnswer = Atomic<Int>(.max)

    /// Loses the next answers, after the requests were handled.
    func loseAnswers(_ count: Int) { losses.store(count, ordering: .relaxed) }

    /// Disconnects a listener.
    func cut(_ name: String) { _ = cut.withLock { $0.insert(name) } }

    var listeners: [String] { ears.withLock { $0.keys.sorted() } }

    func listen(as name: String, _ answer: @escaping Answer) -> any Listening {
        ears.withLock { $0[name] = answer }
        return Ear { [weak self] in self?.ears.withLock { $0[name] = nil } }
    }

    func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
        requests.wrappingAdd(1, ordering: .relaxed)
        if request.count > largest.load(ordering: .relaxed) { return .invalid("too large") }
        guard let answer = ears.withLock({ $0[name] }), !cut.withLock({ $0.contains(name) }) else { return .unreached }
        let bytes = await answer(request)
        if Task.isCancelled { return .unanswered }
        if losses.load(ordering: .relaxed) > 0 {
            losses.wrappingSubtract(1, ordering: .relaxed)
            return .unanswered
        }
        if bytes.count > largestAnswer.load(ordering: .relaxed) { return .unanswerable("too large") }
        return .answered(bytes)
    }
}

import Foundation
import Synchronization

// A task that waits for the next value.

func subscribing() -> [Work] {
    [
        Work(.subscribing, .asyncSequences) { n in
            let all = (0..<n).map { _ in Listening() }
            for one in all { one.cancel() }
            let tasks = all.map(\.task)
            blocking { for task in tasks { await task.value } }
        },
        Work(
            .subscriptionBytes, .asyncSequences,
            hold: { n in
                let before = Listening.begun.load(ordering: .acquiring)
                let all = (0..<n).map { _ in Listening() }
                while Listening.begun.load(ordering: .acquiring) < before + n { Thread.sleep(forTimeInterval: 0.01) }
                // The last tasks may not have reached their suspension yet.
                Thread.sleep(forTimeInterval: 0.1)
                return all
            }),
    ]
}

private final class Listening {
    static let begun = Atomic(0)
    private let continuation: AsyncStream<Int>.Continuation
    let task: Task<Void, Never>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        self.continuation = continuation
        task = Task { await Listening.listen(to: stream) }
    }

    private static func listen(to stream: AsyncStream<Int>) async {
        begun.wrappingAdd(1, ordering: .releasing)
        let total = total
        for await value in stream.map({ $0 &+ 1 }).filter({ $0 > 0 }) { mix(value, into: total) }
    }

    func cancel() { task.cancel() }

    deinit { cancel() }
}

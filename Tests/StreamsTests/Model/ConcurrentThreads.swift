import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization

/// A fixed number of threads that run closures at the same time, repeatedly. They sleep at a gate until all have arrived: on a
/// busy machine, a polling thread would have to wait for its next time slice. The thread sanitizer learns the order of their work
/// from the counters.
final class Threads: Sendable {
    private let queues: [DispatchQueue]
    private let gate = DispatchSemaphore(value: 0)
    private let arrived = Atomic<Int>(0)
    private let awake = Atomic<Int>(0)
    private let done = Atomic<Int>(0)

    init(_ count: Int) { queues = (0..<count).map { DispatchQueue(label: "thread \($0)") } }

    /// Runs closures at the same time, each on a thread of its own. Returns when all have returned, and the work that they handed
    /// over has been done.
    func run(_ deeds: [@Sendable () -> Void]) {
        precondition(deeds.count <= queues.count, "\(queues.count) threads cannot do \(deeds.count) things at once")
        arrived.store(0, ordering: .sequentiallyConsistent)
        awake.store(0, ordering: .sequentiallyConsistent)
        done.store(0, ordering: .sequentiallyConsistent)
        let group = DispatchGroup()
        for (queue, deed) in zip(queues, deeds) {
            queue.async(group: group) { [self] in
                arrive(of: deeds.count)
                deed()
                done.wrappingAdd(1, ordering: .sequentiallyConsistent)
            }
        }
        let end = group.wait(timeout: .now() + .seconds(patience))
        precondition(end == .success, "a deed never ended")
        settle()
        precondition(done.load(ordering: .sequentiallyConsistent) == deeds.count, "wait for the group: a deed is still under way")
    }

    private func arrive(of count: Int) {
        if arrived.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue == count {
            for _ in 1..<count { gate.signal() }
        } else {
            gate.wait()
        }
        // The first thread to wake waits briefly for another one, so that two cores are busy at once.
        awake.wrappingAdd(1, ordering: .sequentiallyConsistent)
        for _ in 0..<2_000 where awake.load(ordering: .sequentiallyConsistent) > 1 { break }
    }
}

/// The number of seconds that a test waits for another thread, as for a ``Latch``.
private let patience = environmentNumber("LATCH_PATIENCE") ?? (Budget.isExhaustive ? 300 : 30)

/// Waits until a condition holds that another thread changes. A wait without end ends the tests.
func wait(until isTrue: () -> Bool, file: StaticString = #filePath, line: UInt = #line) {
    let end = ContinuousClock.now + Duration.seconds(patience)
    while !isTrue() {
        precondition(ContinuousClock.now < end, "A condition never held.", file: (file), line: line)
        yieldThread()
    }
}

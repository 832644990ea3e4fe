import Dispatch
import Synchronization

/// Some threads that do several things at the same moment, again and again.
///
/// They wait for one another at a barrier of one atomic counter: nobody sleeps, and the thread sanitizer sees who comes
/// after whom.
final class Crew: Sendable {
    private let queues: [DispatchQueue]
    private let arrived = Atomic<Int>(0)
    private let done = Atomic<Int>(0)

    init(_ count: Int) { queues = (0..<count).map { DispatchQueue(label: "crew \($0)") } }

    /// Starts the deeds at the same moment, each on a thread of its own; returns when all are done.
    func run(_ deeds: [@Sendable () -> Void]) {
        precondition(deeds.count <= queues.count, "a crew of \(queues.count) cannot do \(deeds.count) things at once")
        arrived.store(0, ordering: .sequentiallyConsistent)
        done.store(0, ordering: .sequentiallyConsistent)
        let group = DispatchGroup()
        for (queue, deed) in zip(queues, deeds) {
            queue.async(group: group) { [self] in
                arrived.wrappingAdd(1, ordering: .sequentiallyConsistent)
                wait { arrived.load(ordering: .sequentiallyConsistent) == deeds.count }
                deed()
                done.wrappingAdd(1, ordering: .sequentiallyConsistent)
            }
        }
        group.wait()
        wait { self.done.load(ordering: .sequentiallyConsistent) == deeds.count }
    }
}

/// Waits until something holds, which another thread brings about.
func wait(until isTrue: () -> Bool) { while !isTrue() { giveWay() } }

/// Lets another thread run.
@_silgen_name("sched_yield")
@discardableResult
func giveWay() -> Int32

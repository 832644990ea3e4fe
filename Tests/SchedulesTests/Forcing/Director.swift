import Foundation
import MoonlightTestSupport
import Streams
import Synchronization

/// Runs the threads of a scene one at a time, and decides at each lock and atomic which thread continues.
///
/// All threads but one wait, each at its own semaphore. The running thread calls the director before it accesses shared state; if
/// another thread is to continue, it wakes that one and waits. So the order of all accesses to shared state is a list of
/// decisions, and the same list leads to the same run.
final class Director: SwitchPoint.Director, @unchecked Sendable {
    // Sound: only the running thread accesses anything but the two atomics; semaphores order the threads.

    static let shared: Director = {
        let director = Director()
        SwitchPoint.director = director
        return director
    }()

    /// The end of a run.
    enum Ending: Equatable { case done, deadlock, endless }

    private struct Performer {
        let thread: Worker
        var body: (() -> Void)?
        var isFinished = false
        var waitsFor: UnsafeRawPointer?
        var canRun: Bool { !isFinished && waitsFor == nil }
    }

    private var workers: [Worker] = []
    private var cast: [Performer] = []
    private var running = 0
    private var choose: (_ options: Int, _ couldContinue: Bool) -> Int = { _, _ in 0 }
    private(set) var path: [Decision] = []
    private var places = 0
    private var ending = Ending.done
    private let curtain = DispatchSemaphore(value: 0)
    /// The running thread, by `currentThread()`; 0 if none is running.
    private let onStage = Synchronization.Atomic<UInt>(0)

    /// The number of places after which a run counts as endless.
    private static let tooMany = 100_000

    /// Runs each body on a thread of its own.
    ///
    /// - Parameter choose: Chooses one of several threads; 0 is the running one if it can continue.
    func run(_ bodies: [() -> Void], choose: @escaping (_ options: Int, _ couldContinue: Bool) -> Int) -> Ending {
        self.choose = choose
        (path, places, ending, cast) = ([], 0, .done, [])
        for body in bodies { join(body) }
        if let first = decide(isBeginning: true) { cast[first].thread.wake() }
        curtain.wait()
        // Blocked threads cannot be ended, and are abandoned.
        if ending != .done { workers = [] }
        return ending
    }

    /// Assigns a body to a thread, which waits to be woken.
    private func join(_ body: @escaping () -> Void) {
        let index = cast.count
        if workers.count == index { workers.append(Worker()) }
        cast.append(Performer(thread: workers[index], body: body))
        workers[index].task = { [self] in
            onStage.store(currentThread(), ordering: .sequentiallyConsistent)
            running = index
            do {
                // The body is released before the run ends; its release may reach another place.
                let body = cast[index].body.take()
                body?()
            }
            cast[index].isFinished = true
            leave()
        }
    }

    // MARK: Called by the threads

    func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard isDirected else { return false }
        join(work)
        reached()
        return true
    }

    func reached() {
        guard isDirected else { return }
        places += 1
        if places > Self.tooMany { stop(.endless) }
        guard let next = decide() else { return }
        if next != running { handOver(to: next) }
    }

    func waits(for lock: UnsafeRawPointer) {
        guard isDirected else { return }
        cast[running].waitsFor = lock
        guard let next = decide() else { stop(.deadlock) }
        handOver(to: next)
    }

    func gaveBack(_ lock: UnsafeRawPointer) {
        guard isDirected else { return }
        for index in cast.indices where cast[index].waitsFor == lock { cast[index].waitsFor = nil }
    }

    private var isDirected: Bool { onStage.load(ordering: .relaxed) == currentThread() }

    // MARK: Handing over

    /// The thread that continues; nil if none can.
    private func decide(isBeginning: Bool = false) -> Int? {
        let couldContinue = !isBeginning && cast[running].canRun
        let others = cast.indices.filter { cast[$0].canRun && (isBeginning || $0 != running) }
        let options = couldContinue ? [running] + others : others
        guard options.count > 1 else { return options.first }
        let choice = min(choose(options.count, couldContinue), options.count - 1)
        path.append(Decision(options: options.count, choice: choice, couldContinue: couldContinue))
        return options[choice]
    }

    private func handOver(to next: Int) {
        // Read before the other thread is woken, since that one owns this state afterwards.
        let (me, mine) = (running, cast[running].thread)
        onStage.store(0, ordering: .sequentiallyConsistent)
        cast[next].thread.wake()
        mine.wait()
        onStage.store(currentThread(), ordering: .sequentiallyConsistent)
        running = me
    }

    private func leave() {
        onStage.store(0, ordering: .sequentiallyConsistent)
        if let next = decide() { return cast[next].thread.wake() }
        if !cast.allSatisfy(\.isFinished) { ending = .deadlock }
        curtain.signal()
    }

    private func stop(_ how: Ending) -> Never {
        ending = how
        // Read before the run ends, since the next run replaces the threads, and this thread must not take their wake-ups.
        let mine = cast[running].thread
        onStage.store(0, ordering: .sequentiallyConsistent)
        curtain.signal()
        while true { mine.wait() }
    }
}

/// A thread that runs a task each time it is woken.
private final class Worker: @unchecked Sendable {
    // Sound: the task is set before the thread is woken for it.
    private let semaphore = DispatchSemaphore(value: 0)
    var task: (() -> Void)?

    init() {
        let thread = Thread { [self] in
            while true {
                semaphore.wait()
                task.take()?()
            }
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    func wake() { semaphore.signal() }
    func wait() { semaphore.wait() }
}

import Foundation
import MoonlightTestSupport
import Streams
import Synchronization

/// Runs the threads of a scene one at a time, and decides at each lock and atomic which of them goes on.
///
/// All but one wait at a semaphore of their own. The one that runs comes by here whenever it is about to touch what others
/// may touch; if another is to go on, it wakes that one and waits. So the order of everything that threads can notice of
/// each other is a list of decisions, and the same list gives the same run.
final class Director: SwitchPoint.Director, @unchecked Sendable {
    // Sound: only the thread that runs touches anything but the two atomics; semaphores hand over.

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
    /// The thread that runs, as `currentThread()` tells it; 0 if none does.
    private let onStage = Synchronization.Atomic<UInt>(0)

    /// More places than any scene has that ends.
    private static let tooMany = 100_000

    /// Runs bodies on as many threads.
    ///
    /// - Parameter choose: Which of several goes on; 0 is the one that runs, if it can.
    func run(_ bodies: [() -> Void], choose: @escaping (_ options: Int, _ couldContinue: Bool) -> Int) -> Ending {
        self.choose = choose
        (path, places, ending, cast) = ([], 0, .done, [])
        for body in bodies { join(body) }
        if let first = decide(isBeginning: true) { cast[first].thread.wake() }
        curtain.wait()
        // Threads that are stuck stay so: nobody can take them down.
        if ending != .done { workers = [] }
        return ending
    }

    /// Gives a body a thread, which waits to be woken.
    private func join(_ body: @escaping () -> Void) {
        let index = cast.count
        if workers.count == index { workers.append(Worker()) }
        cast.append(Performer(thread: workers[index], body: body))
        workers[index].task = { [self] in
            onStage.store(currentThread(), ordering: .sequentiallyConsistent)
            running = index
            do {
                // What the scene has made must be gone when the curtain falls; it ends here, and may come by a place where it waits.
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
        // Looked up before the other is woken: from then on everything here is that one's.
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
        // Looked up before the curtain falls: from then on the next run has the cast, and this must not take its wake-ups.
        let mine = cast[running].thread
        onStage.store(0, ordering: .sequentiallyConsistent)
        curtain.signal()
        while true { mine.wait() }
    }
}

/// A thread that runs one task after the other, each when it is woken.
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

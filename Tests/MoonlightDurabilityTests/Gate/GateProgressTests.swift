import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight
@testable import MoonlightDurability

/// A loop that counts its wake-ups.
private final class SleepingLoop: GatedLoop {
    private let wakes: Recorder<String>

    init(_ wakes: Recorder<String>) { self.wakes = wakes }

    func wake() { wakes.append("wake") }
}

@Suite("The progress of an output gate")
final class GateProgressTests {
    private let progress = GateProgress()
    private let wakes = Recorder<String>()

    init() { progress.setLoop(SleepingLoop(wakes)) }

    // An expectation cannot contain a noncopyable value.
    private func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    private var failure: SendError? { progress.failure }

    @Test("A gate is open up to the released position, and a lower release changes nothing")
    func release() {
        expect(isReleased(0))
        expect(!isReleased(1))
        progress.release(through: 5)
        progress.release(through: 3)
        expectEqual([1, 3, 5, 6].map { isReleased($0) }, [true, true, true, false])
    }

    @Test("A loop with an unreleased position is woken once by its release")
    func waking() {
        progress.release(through: 1)
        expectEqual(wakes.count, 0)
        expect(isReleased(1))
        progress.release(through: 2)
        expectEqual(wakes.count, 0)
        expect(!isReleased(3))
        progress.release(through: 3)
        progress.release(through: 4)
        expectEqual(wakes.count, 1)
    }

    @Test("A gate can be restrained to an earlier position, which wakes no loop")
    func restraining() {
        progress.release(through: 5)
        expect(!isReleased(6))
        progress.restrain(to: 2)
        expectEqual(wakes.count, 0)
        expect(isReleased(2))
        expect(!isReleased(3))
        progress.release(through: 3)
        expectEqual(wakes.count, 1)
        expect(isReleased(3))
    }

    @Test("A failure closes the gate and wakes the loop; without it the gate is as open as before")
    func failing() {
        progress.release(through: 5)
        progress.fail(.ended)
        expectEqual(wakes.count, 1)
        guard case .ended? = failure else {
            Issue.record("there is no failure")
            return
        }
        expect(!isReleased(0))
        expect(!isReleased(5))
        progress.release(through: 6)
        expectEqual(wakes.count, 2)
        expect(!isReleased(6))
        progress.fail(nil)
        expectEqual(wakes.count, 3)
        expect(failure == nil)
        expect(isReleased(6))
        progress.fail(nil)
        expectEqual(wakes.count, 3)
    }

    @Test("A restriction during a failure keeps the gate closed")
    func restrainedFailure() {
        progress.fail(.ended)
        progress.restrain(to: 7)
        expect(!isReleased(7))
        progress.fail(nil)
        expect(isReleased(7))
    }

    @Test("A loop can be woken without a reason, but not once it is detached")
    func wakeLoop() {
        progress.wakeLoop()
        progress.wakeLoop()
        expectEqual(wakes.count, 2)
        progress.setLoop(nil)
        progress.wakeLoop()
        expectEqual(wakes.count, 2)
    }

    @Test("A loop is released when another takes its place")
    func released() {
        weak var seen: SleepingLoop?
        do {
            let loop = SleepingLoop(wakes)
            seen = loop
            progress.setLoop(loop)
        }
        expect(seen != nil)
        progress.setLoop(nil)
        expect(seen == nil)
    }
}

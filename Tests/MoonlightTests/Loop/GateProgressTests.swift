import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// A loop that counts how often it is woken.
private final class SleepingLoop: GatedLoop {
    private let wakes: Recorder<String>

    init(_ wakes: Recorder<String>) { self.wakes = wakes }

    func wake() { wakes.append("wake") }
}

@Suite("How far a gate is open")
final class GateProgressTests {
    private let progress = GateProgress()
    private let wakes = Recorder<String>()

    init() { progress.setLoop(SleepingLoop(wakes)) }

    // An expectation cannot hold what must not be copied.
    private func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    private var failure: SendError? { progress.failure }

    @Test("it is open up to the position that was released, and never less far")
    func release() {
        #expect(isReleased(0))
        #expect(!isReleased(1))
        progress.release(through: 5)
        progress.release(through: 3)
        #expect([1, 3, 5, 6].map { isReleased($0) } == [true, true, true, false])
    }

    @Test("the loop is woken by a release after it has asked in vain, and once")
    func waking() {
        progress.release(through: 1)
        #expect(wakes.count == 0)
        #expect(isReleased(1))
        progress.release(through: 2)
        #expect(wakes.count == 0)
        #expect(!isReleased(3))
        progress.release(through: 3)
        progress.release(through: 4)
        #expect(wakes.count == 1)
    }

    @Test("it can be restrained to an earlier position, which wakes nobody")
    func restraining() {
        progress.release(through: 5)
        #expect(!isReleased(6))
        progress.restrain(to: 2)
        #expect(wakes.count == 0)
        #expect(isReleased(2))
        #expect(!isReleased(3))
        progress.release(through: 3)
        #expect(wakes.count == 1)
        #expect(isReleased(3))
    }

    @Test("a failure closes it and wakes the loop; without one it is as open as before")
    func failing() {
        progress.release(through: 5)
        progress.fail(.ended)
        #expect(wakes.count == 1)
        guard case .ended? = failure else {
            Issue.record("there is no failure")
            return
        }
        #expect(!isReleased(0))
        #expect(!isReleased(5))
        progress.release(through: 6)
        #expect(wakes.count == 2)
        #expect(!isReleased(6))
        progress.fail(nil)
        #expect(wakes.count == 3)
        #expect(failure == nil)
        #expect(isReleased(6))
        progress.fail(nil)
        #expect(wakes.count == 3)
    }

    @Test("a restraint under a failure keeps it closed")
    func restrainedFailure() {
        progress.fail(.ended)
        progress.restrain(to: 7)
        #expect(!isReleased(7))
        progress.fail(nil)
        #expect(isReleased(7))
    }

    @Test("the loop can be woken without a reason, and no more when it has let go")
    func wakeLoop() {
        progress.wakeLoop()
        progress.wakeLoop()
        #expect(wakes.count == 2)
        progress.setLoop(nil)
        progress.wakeLoop()
        #expect(wakes.count == 2)
    }

    @Test("the loop is released when it is replaced")
    func released() {
        weak var seen: SleepingLoop?
        do {
            let loop = SleepingLoop(wakes)
            seen = loop
            progress.setLoop(loop)
        }
        #expect(seen != nil)
        progress.setLoop(nil)
        #expect(seen == nil)
    }
}

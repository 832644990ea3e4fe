import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// A loop that counts how often it is asked to look.
private final class Looker: QuietLoop {
    let looks = Recorder<String>()
    func look() { looks.append("look") }
}

@Suite("The watch for a quiet loop")
struct QuietWatchTests {
    private let watch = QuietWatch()
    private let loop = Looker()
    private let told = Recorder<String>()

    @Test("A waiting caller is told once, and the loop looks when the caller begins to wait")
    func once() {
        watch.wait(for: loop) { [told] in told.append("first") }
        expectEqual(loop.looks.count, 1)
        expectEqual(told.all, [])
        watch.tell()
        watch.wait(for: loop) { [told] in told.append("second") }
        watch.tell()
        watch.tell()
        expectEqual(told.all, ["first", "second"])
        expectEqual(loop.looks.count, 2)
    }

    @Test("All waiting callers are told, in their order")
    func all() {
        for name in ["a", "b", "c"] { watch.wait(for: loop) { [told] in told.append(name) } }
        watch.tell()
        expectEqual(told.all, ["a", "b", "c"])
    }

    @Test("The end tells all waiting callers; a later one is told at once, and the loop looks no more")
    func end() {
        watch.wait(for: loop) { [told] in told.append("before") }
        watch.end()
        expectEqual(told.all, ["before"])
        watch.wait(for: loop) { [told] in told.append("after") }
        expectEqual(told.all, ["before", "after"])
        watch.tell()
        expectEqual(told.all, ["before", "after"])
        expectEqual(loop.looks.count, 1)
    }

    @Test("A loop that waits for its own end looks, and nobody is told")
    func itself() {
        watch.wait(for: loop)
        expectEqual(loop.looks.count, 1)
        watch.tell()
        watch.end()
        expectEqual(told.all, [])
    }

    @Test("The loop looks again on request, unless it is gone or nobody has waited")
    func again() {
        watch.lookAgain()
        expectEqual(loop.looks.count, 0)
        watch.wait(for: loop)
        watch.lookAgain()
        expectEqual(loop.looks.count, 2)
        var gone: Looker? = Looker()
        let looks = gone?.looks
        if let gone { watch.wait(for: gone) }
        gone = nil
        watch.lookAgain()
        expectEqual(looks?.count, 1)
    }
}

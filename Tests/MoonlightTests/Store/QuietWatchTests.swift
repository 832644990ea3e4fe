import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// A loop that counts how often it is asked to look.
private final class Looker: QuietLoop {
    let looks = Recorder<String>()
    func look() { looks.append("look") }
}

@Suite("Those that wait for quiet")
struct QuietWatchTests {
    private let watch = QuietWatch()
    private let loop = Looker()
    private let told = Recorder<String>()

    @Test("each is told once, and the loop looks when somebody begins to wait")
    func once() {
        watch.wait(for: loop) { [told] in told.append("first") }
        #expect(loop.looks.count == 1)
        #expect(told.all == [])
        watch.tell()
        watch.wait(for: loop) { [told] in told.append("second") }
        watch.tell()
        watch.tell()
        #expect(told.all == ["first", "second"])
        #expect(loop.looks.count == 2)
    }

    @Test("all that wait are told, in their order")
    func all() {
        for name in ["a", "b", "c"] { watch.wait(for: loop) { [told] in told.append(name) } }
        watch.tell()
        #expect(told.all == ["a", "b", "c"])
    }

    @Test("the end tells all that wait; who comes later is told at once, and the loop looks no more")
    func end() {
        watch.wait(for: loop) { [told] in told.append("before") }
        watch.end()
        #expect(told.all == ["before"])
        watch.wait(for: loop) { [told] in told.append("after") }
        #expect(told.all == ["before", "after"])
        watch.tell()
        #expect(told.all == ["before", "after"])
        #expect(loop.looks.count == 1)
    }

    @Test("a loop that waits for its own end looks, and nobody is told")
    func itself() {
        watch.wait(for: loop)
        #expect(loop.looks.count == 1)
        watch.tell()
        watch.end()
        #expect(told.all == [])
    }

    @Test("the loop looks again when it is asked to, unless it is gone or nobody has waited")
    func again() {
        watch.lookAgain()
        #expect(loop.looks.count == 0)
        watch.wait(for: loop)
        watch.lookAgain()
        #expect(loop.looks.count == 2)
        var gone: Looker? = Looker()
        let looks = gone?.looks
        if let gone { watch.wait(for: gone) }
        gone = nil
        watch.lookAgain()
        #expect(looks?.count == 1)
    }
}

import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// A loop that counts how often it is asked to look.
private final class Looker: AnyLoop {
    let looks = Recorder<String>()
    func look() { looks.append("look") }

    var isHandledHere: Bool { false }
    var isIdle: Bool { true }
    var isQuiet: Bool { true }
    var liveStreams: [(stream: EffectOrigin, work: LiveWork)] { [] }
    var waitForRoom: (() async -> Bool)? { nil }
    var hookOfLoop: AnyObject? { nil }
    var causeHere: Int? { nil }
    func cancel() {}
    func inherit() {}
    func drain() {}
    func beginAwaiting() {}
    func take(_ note: Note, cause: Int?) -> Int? { nil }
    func replaceCause(_ number: Int?) -> Int? { nil }
}

@Suite("Quiet watch: callers that wait for a quiet loop")
struct QuietWatchTests {
    private let watch = QuietWatch()
    private let loop = Looker()
    private let called = Recorder<String>()

    @Test("A waiting caller is called once, and the loop is checked when the caller begins to wait")
    func once() {
        watch.wait(for: loop) { [called] in called.append("first") }
        expectEqual(loop.looks.count, 1)
        expectEqual(called.all, [])
        watch.notifyAll()
        watch.wait(for: loop) { [called] in called.append("second") }
        watch.notifyAll()
        watch.notifyAll()
        expectEqual(called.all, ["first", "second"])
        expectEqual(loop.looks.count, 2)
    }

    @Test("All waiting callers are called, in order")
    func all() {
        for name in ["a", "b", "c"] { watch.wait(for: loop) { [called] in called.append(name) } }
        watch.notifyAll()
        expectEqual(called.all, ["a", "b", "c"])
    }

    @Test("A caller that has stopped waiting is not called")
    func leaving() {
        let number = watch.wait(for: loop) { [called] in called.append("left") }
        watch.wait(for: loop) { [called] in called.append("stayed") }
        watch.leave(number)
        expectEqual(watch.count, 1)
        watch.notifyAll()
        expectEqual(called.all, ["stayed"])
    }

    @Test("A cancelled call of `quiet` retains nothing while an effect is live")
    func cancelled() async {
        let effects = PassthroughSubject<String, Never>()
        let store = scriptStore()
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        for _ in 0..<3 {
            let waiting = Task { await store.quiet() }
            waiting.cancel()
            await waiting.value
        }
        expectEqual(store.context.service(QuietWatch.self).count, 0)
    }

    @Test("The end calls all waiting callers; a later one is called at once, without a check")
    func end() {
        watch.wait(for: loop) { [called] in called.append("before") }
        watch.end()
        expectEqual(called.all, ["before"])
        watch.wait(for: loop) { [called] in called.append("after") }
        expectEqual(called.all, ["before", "after"])
        watch.notifyAll()
        expectEqual(called.all, ["before", "after"])
        expectEqual(loop.looks.count, 1)
    }

    @Test("A loop that waits for its own end is checked, and no caller is called")
    func itself() {
        watch.wait(for: loop)
        expectEqual(loop.looks.count, 1)
        watch.notifyAll()
        watch.end()
        expectEqual(called.all, [])
    }

    @Test("The loop is checked again on request, unless it is released or there is no caller")
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

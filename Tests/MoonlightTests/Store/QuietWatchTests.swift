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
        watch.notifyAll()
        watch.wait(for: loop) { [told] in told.append("second") }
        watch.notifyAll()
        watch.notifyAll()
        expectEqual(told.all, ["first", "second"])
        expectEqual(loop.looks.count, 2)
    }

    @Test("All waiting callers are told, in their order")
    func all() {
        for name in ["a", "b", "c"] { watch.wait(for: loop) { [told] in told.append(name) } }
        watch.notifyAll()
        expectEqual(told.all, ["a", "b", "c"])
    }

    @Test("A caller that has left is not told")
    func leaving() {
        let number = watch.wait(for: loop) { [told] in told.append("left") }
        watch.wait(for: loop) { [told] in told.append("stayed") }
        watch.leave(number)
        expectEqual(watch.count, 1)
        watch.notifyAll()
        expectEqual(told.all, ["stayed"])
    }

    @Test("Nothing is kept of a task that waited for quiet and was cancelled, while an effect is live")
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

    @Test("The end tells all waiting callers; a later one is told at once, and the loop looks no more")
    func end() {
        watch.wait(for: loop) { [told] in told.append("before") }
        watch.end()
        expectEqual(told.all, ["before"])
        watch.wait(for: loop) { [told] in told.append("after") }
        expectEqual(told.all, ["before", "after"])
        watch.notifyAll()
        expectEqual(told.all, ["before", "after"])
        expectEqual(loop.looks.count, 1)
    }

    @Test("A loop that waits for its own end looks, and nobody is told")
    func itself() {
        watch.wait(for: loop)
        expectEqual(loop.looks.count, 1)
        watch.notifyAll()
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

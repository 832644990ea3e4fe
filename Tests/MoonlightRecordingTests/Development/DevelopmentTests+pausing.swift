import Moonlight
import MoonlightRecording
import MoonlightTestSupport
import Streams
import Testing

// Pauses and locks.
extension DevelopmentTests {
    @Test("A paused program continues without keeping steps, and then begins a new history")
    func pause() {
        let store = open()
        store.send(.event(.say("a")))
        store.pause()
        expect(store.state.isPaused)
        expectEqual(store.state.steps.count, 2)
        store.send(.event(.say("b")))
        expectEqual(words(store), "a b")
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 4...4)
        expectEqual(reason(store.skip(2)), "no step can be skipped or restored while the history is paused")
        store.resume()
        expect(!store.state.isPaused)
        store.send(.event(.say("c")))
        expectEqual(steps(store), [#"5 say("c")"#, #"6<5 word("c")"#])
        store.skip(6)
        expectEqual(words(store), "a b")
        store.jump(to: 4)
        store.restore(6)
        expectEqual(words(store), "a b c|a b")
    }

    @Test("Resuming begins a new history even if nothing has happened, and does nothing without a pause")
    func resume() {
        let store = open()
        store.send(.event(.say("a")))
        store.resume()
        expectEqual(store.state.steps.count, 2)
        store.pause()
        store.resume()
        expect(store.state.steps.isEmpty)
    }

    @Test("An effect that arrives while paused drops the history, as an event does")
    func effectWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.pause()
        world.send("x")
        store.resume()
        expectEqual(words(store), "x")
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 2...2)
    }

    @Test("A jump to the latest state while paused displays it, after an event and after a later effect")
    func jumpWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.pause()
        world.send("x")
        store.jump(to: 2)
        expectEqual(words(store), "x")
        store.send(.command(.jump(to: nil)))
        store.send(.event(.say("y")))
        store.jump(to: 4)
        expectEqual(words(store), "x y")
    }

    @Test("An event without an effect drops the history while paused, too")
    func eventWhilePaused() {
        let store = open()
        store.send(.event(.say("a")))
        store.pause()
        store.send(.event(.later))
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 3...3)
    }

    @Test("A locked store rejects events, and effects that arrive are held in order until it is unlocked")
    func lock() async {
        let store = open()
        store.post(.event(.later))
        store.lock()
        expect(store.state.isLocked)
        expectEqual(reason(await store.send(.event(.say("a")))), "the store is locked: unlock it to send events")
        world.send("x")
        world.send("y")
        expectEqual(words(store), "")
        expectEqual(store.state.heldEffects, 2)
        store.unlock()
        expect(!store.state.isLocked)
        expectEqual(store.state.heldEffects, 0)
        expectEqual(words(store), "x y")
        expectEqual(steps(store), ["1 later", #"2<1 word("x")"#, #"3<1 word("y")"#])
        store.post(.event(.say("a")))
        expectEqual(words(store), "x y a")
    }

    @Test("Commands of the developer are executed while the store is locked")
    func commandsWhileLocked() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.lock()
        store.skip(2)
        store.jump(to: 1)
        expectEqual(words(store), "b|")
    }

    @Test("A held effect that `apply` rejects becomes a rejected step, and the held effects after it are applied")
    func heldAndRejected() {
        let store = open()
        store.send(.event(.later))
        store.lock()
        world.send("after z")
        world.send("b")
        store.unlock()
        expectEqual(words(store), "b")
        expectEqual(steps(store), ["1 later", #"!2<1 word("after z")"#, #"3<1 word("b")"#])
    }

    @Test("A held effect of a skipped event is skipped when the store is unlocked")
    func heldAndSkipped() {
        let store = open()
        store.send(.event(.later))
        store.lock()
        world.send("x")
        store.skip(1)
        store.unlock()
        expectEqual(words(store), "")
        expectEqual(store.state.steps.map(\.outcome), [.skipped, .skipped])
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightRecording

// Pauses and locks.
extension DevelopmentTests {
    @Test("A paused program continues without keeping steps, and then begins a new history")
    func pause() async {
        let store = open()
        store.post(.event(.say("a")))
        store.post(.command(.pause))
        expect(store.state.isPaused)
        expectEqual(store.state.steps.count, 2)
        store.post(.event(.say("b")))
        expectEqual(words(store), "a b")
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 4...4)
        expectEqual(
            reason(await store.send(.command(.skip(2)))), "no step can be skipped or restored while the history is paused")
        store.post(.command(.resume))
        expect(!store.state.isPaused)
        store.post(.event(.say("c")))
        expectEqual(steps(store), [#"5 say("c")"#, #"6<5 word("c")"#])
        store.post(.command(.skip(6)))
        expectEqual(words(store), "a b")
        store.post(.command(.jump(to: 4)))
        store.post(.command(.restore(6)))
        expectEqual(words(store), "a b c|a b")
    }

    @Test("Resuming begins a new history even if nothing has happened, and does nothing without a pause")
    func resume() {
        let store = open()
        store.send(.event(.say("a")))
        store.send(.command(.resume))
        expectEqual(store.state.steps.count, 2)
        store.send(.command(.pause))
        store.send(.command(.resume))
        expect(store.state.steps.isEmpty)
    }

    @Test("An effect that arrives while paused drops the history, as an event does")
    func effectWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.send(.command(.pause))
        world.send("x")
        store.send(.command(.resume))
        expectEqual(words(store), "x")
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 2...2)
    }

    @Test("A jump to the latest state while paused displays it, after an event and after a later effect")
    func jumpWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.send(.command(.pause))
        world.send("x")
        store.send(.command(.jump(to: 2)))
        expectEqual(words(store), "x")
        store.send(.command(.jump(to: nil)))
        store.send(.event(.say("y")))
        store.send(.command(.jump(to: 4)))
        expectEqual(words(store), "x y")
    }

    @Test("An event without an effect drops the history while paused, too")
    func eventWhilePaused() {
        let store = open()
        store.send(.event(.say("a")))
        store.send(.command(.pause))
        store.send(.event(.later))
        expect(store.state.steps.isEmpty)
        expectEqual(store.state.positions, 3...3)
    }

    @Test("A locked store rejects events, and effects that arrive are held in order until it is unlocked")
    func lock() async {
        let store = open()
        store.post(.event(.later))
        store.post(.command(.lock))
        expect(store.state.isLocked)
        expectEqual(reason(await store.send(.event(.say("a")))), "the store is locked: unlock it to send events")
        world.send("x")
        world.send("y")
        expectEqual(words(store), "")
        expectEqual(store.state.held.count, 2)
        store.post(.command(.unlock))
        expect(!store.state.isLocked)
        expectEqual(store.state.held.count, 0)
        expectEqual(words(store), "x y")
        expectEqual(steps(store), ["1 later", #"2<1 word("x")"#, #"3<1 word("y")"#])
        store.post(.event(.say("a")))
        expectEqual(words(store), "x y a")
    }

    @Test("Commands of the developer are executed while the store is locked")
    func commandsWhileLocked() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.command(.lock))
        store.send(.command(.skip(2)))
        store.send(.command(.jump(to: 1)))
        expectEqual(words(store), "b|")
    }

    @Test("A held effect that `apply` rejects becomes a rejected step, and the held effects after it are applied")
    func heldAndRejected() {
        let store = open()
        store.send(.event(.later))
        store.send(.command(.lock))
        world.send("after z")
        world.send("b")
        store.send(.command(.unlock))
        expectEqual(words(store), "b")
        expectEqual(steps(store), ["1 later", #"!2<1 word("after z")"#, #"3<1 word("b")"#])
    }

    @Test("A held effect of a skipped event is skipped when the store is unlocked")
    func heldAndSkipped() {
        let store = open()
        store.send(.event(.later))
        store.send(.command(.lock))
        world.send("x")
        store.send(.command(.skip(1)))
        store.send(.command(.unlock))
        expectEqual(words(store), "")
        expectEqual(store.state.steps.map(\.outcome), [.skipped, .skipped])
    }
}

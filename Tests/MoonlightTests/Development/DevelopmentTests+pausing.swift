import Moonlight
import MoonlightTestSupport
import Streams
import Testing

// Without a history, and with a locked state.
extension DevelopmentTests {
    @Test("while paused the program goes on and no step is kept; afterwards the history begins anew")
    func pause() {
        let store = open()
        store.send(.event(.say("a")))
        store.pause()
        #expect(store.state.isPaused)
        #expect(store.state.steps.count == 2)
        store.send(.event(.say("b")))
        #expect(words(store) == "a b")
        #expect(store.state.steps.isEmpty)
        #expect(store.state.positions == 4...4)
        #expect(reason(store.skip(2)) == "no step can be left out or restored while the history is paused")
        store.resume()
        #expect(!store.state.isPaused)
        store.send(.event(.say("c")))
        #expect(steps(store) == [#"5 say("c")"#, #"6<5 word("c")"#])
        store.skip(6)
        #expect(words(store) == "a b")
        store.jump(to: 4)
        store.restore(6)
        #expect(words(store) == "a b c|a b")
    }

    @Test("to resume begins the history anew also if nothing has happened; without a pause it does nothing")
    func resume() {
        let store = open()
        store.send(.event(.say("a")))
        store.resume()
        #expect(store.state.steps.count == 2)
        store.pause()
        store.resume()
        #expect(store.state.steps.isEmpty)
    }

    @Test("an effect that comes while paused lets go of the history, as an event does")
    func effectWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.pause()
        world.send("x")
        store.resume()
        #expect(words(store) == "x")
        #expect(store.state.steps.isEmpty)
        #expect(store.state.positions == 2...2)
    }

    @Test("a jump to the present while paused shows the latest state, after an event as after a later effect")
    func jumpWhilePaused() {
        let store = open()
        store.send(.event(.later))
        store.pause()
        world.send("x")
        store.jump(to: 2)
        #expect(words(store) == "x")
        store.send(.jump(to: nil))
        store.send(.event(.say("y")))
        store.jump(to: 4)
        #expect(words(store) == "x y")
    }

    @Test("an event without an effect lets go of the history while paused, too")
    func eventWhilePaused() {
        let store = open()
        store.send(.event(.say("a")))
        store.pause()
        store.send(.event(.later))
        #expect(store.state.steps.isEmpty)
        #expect(store.state.positions == 3...3)
    }

    @Test("while locked, events are rejected, and effects that come in wait until it is unlocked, in order")
    func lock() async {
        let store = open()
        store.post(.event(.later))
        store.lock()
        #expect(store.state.isLocked)
        #expect(reason(await store.send(.event(.say("a")))) == "the store is locked: it may only be looked at")
        world.send("x")
        world.send("y")
        #expect(words(store) == "")
        #expect(store.state.heldEffects == 2)
        store.unlock()
        #expect(!store.state.isLocked)
        #expect(store.state.heldEffects == 0)
        #expect(words(store) == "x y")
        #expect(steps(store) == ["1 later", #"2<1 word("x")"#, #"3<1 word("y")"#])
        store.post(.event(.say("a")))
        #expect(words(store) == "x y a")
    }

    @Test("commands of the developer are carried out while locked")
    func commandsWhileLocked() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.lock()
        store.skip(2)
        store.jump(to: 1)
        #expect(words(store) == "b|")
    }

    @Test("an effect that has waited and is then rejected by apply is a step that says so; those behind it are folded")
    func heldAndRejected() {
        let store = open()
        store.send(.event(.later))
        store.lock()
        world.send("after z")
        world.send("b")
        store.unlock()
        #expect(words(store) == "b")
        #expect(steps(store) == ["1 later", #"!2<1 word("after z")"#, #"3<1 word("b")"#])
    }

    @Test("a held effect of a skipped event is left out when it is its turn")
    func heldAndSkipped() {
        let store = open()
        store.send(.event(.later))
        store.lock()
        world.send("x")
        store.skip(1)
        store.unlock()
        #expect(words(store) == "")
        #expect(store.state.steps.map(\.outcome) == [.skipped, .skipped])
    }
}

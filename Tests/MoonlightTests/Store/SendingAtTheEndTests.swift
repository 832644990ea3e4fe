import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("An event that is sent while its loop ends")
struct SendingAtTheEndTests {
    private enum Sender { @TaskLocal static var isLate = false }

    @Test("The sender of an event that arrives while a drained loop ends learns that it was not handled")
    func drained() {
        let (reached, goOn, executor, words) = (Latch(), Latch(), SteppedExecutor(), Recorder<String>())
        let sender = Lock<Worker?>(nil)
        var options = ScriptOptions(journal: { _ in })
        // The late sender reads the clock after it has found the loop running, and before it queues its event.
        options.clock = {
            if Sender.isLate {
                reached.open()
                goOn.wait()
            }
            return 0
        }
        let store = scriptStore(options) { _ in
            [
                Empty(completeImmediately: false).handleEvents(receiveCancel: {
                    // The loop is ending. Meanwhile, the late sender queues its event and waits.
                    goOn.open()
                    sender.withLock { $0 }?.wait()
                }).eraseToAnyPublisher()
            ]
        }
        let sink = store.states.dropFirst().first().sink { _ in
            store.beginDraining()
            Sender.$isLate.withValue(true) {
                _ = Task(executorPreference: executor) { words.append(await store.send(.words(["late"])).word) }
            }
            let worker = Worker { executor.run() }
            sender.withLock { $0 = worker }
            reached.wait()
        }
        store.post(.words(["a"]))
        settle()
        executor.run()
        expectEqual(store.state, ["a"])
        expectEqual(words.all, ["ended"])
        sink.cancel()
    }
}

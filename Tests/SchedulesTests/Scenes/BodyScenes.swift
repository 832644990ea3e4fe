import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("Bodies of `run` that wait for their actor") struct BodyScenes {
        /// An idle actor. Its jobs run on the executor that the test sets.
        private actor Place {}

        /// A thread that is still sending its request owns the mailbox, so the cancellation is handed over to it.
        @Test(
            "A body does not begin after its subscription is cancelled, even if another thread requests values at the same time")
        func cancelling() {
            explore { stage in
                let executor = SteppedExecutor()
                let hasBegun = Shared(false)
                let watcher = Watcher(stage, named: "requester", asking: .none)
                executor.here {
                    AnyPublisher<Int, Oops>.run(priority: nil, on: Place()) { _, _ in hasBegun.value = true }.subscribe(watcher)
                }
                stage.thread { watcher.request(.max(1)) }
                stage.thread {
                    watcher.cancel()
                    executor.run()
                    stage.expect(!hasBegun.value, "a body has begun after cancel() had returned")
                }
            }
        }

        @Test("A body that begins while its subscription is cancelled either does not run, or sees that it is cancelled")
        func beginning() {
            explore { stage in
                let executor = SteppedExecutor()
                let (isCancelled, late) = (Shared(false), Shared(false))
                let began = Shared(false)
                let watcher = Watcher(stage, named: "canceller")
                executor.here {
                    AnyPublisher<Int, Oops>.run(priority: nil, on: Place()) { [wasCancelled = isCancelled] _, _ in
                        began.value = true
                        late.value = wasCancelled.value && !Task.isCancelled
                    }.subscribe(watcher)
                }
                stage.thread { executor.run() }
                stage.thread {
                    watcher.cancel()
                    isCancelled.value = true
                }
                stage.afterwards { stage in
                    executor.run()
                    stage.expect(!late.value, "a body that had begun was not cancelled")
                }
            }
        }
    }
}

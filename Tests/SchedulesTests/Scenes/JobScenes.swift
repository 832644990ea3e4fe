import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("Jobs") struct JobScenes {
        typealias Numbers = PassthroughSubject<Int, Never>

        /// A loop with two streams of effects, each of which starts a job of the same name for each value, on any thread.
        private struct Run {
            let starts = [Numbers(), Numbers()]
            let events = Numbers()
            let hasEnded = Shared(false)
            let order = Shared<[String]>([])
            let watching: AnyCancellable
            let store: Shared<AnyCancellable?>

            init(_ policy: JobPolicy, _ work: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>) {
                let store = Shared<AnyCancellable?>(nil)
                let states = Moonlight.start(
                    initialState: 0, environment: (),
                    feedback: { [events] _ in events.eraseToAnyPublisher() },
                    transform: { [starts, order] _, event, _ in
                        starts[event].flatMap { number in
                            // This operator accepts no completion before its subscription.
                            work(number).job("one", policy).prefix(3).handleEvents(
                                receiveSubscription: { _ in order.value.append("\(number) begins") },
                                receiveCompletion: { _ in order.value.append("\(number) ends") })
                        }.eraseToAnyPublisher()
                    },
                    apply: { state, effect in state + effect }, store: { store.value = $0 }, isolation: nil)
                watching = states.sink(receiveCompletion: { [hasEnded] _ in hasEnded.value = true }, receiveValue: { _ in })
                self.store = store
                events.send(0)
                events.send(1)
            }

            /// Ends all streams of events: the loop then ends unless a stream of effects is still alive.
            func expectTheEnd(_ stage: Stage) {
                for start in starts { start.send(completion: .finished) }
                events.send(completion: .finished)
                stage.expect(hasEnded.value, "an effect's stream never ends: \(order.value)")
                stage.expect(order.value.count, is: 4, "beginnings and ends")
                for number in 1...2 {
                    let own = order.value.filter { $0.hasPrefix("\(number)") }
                    stage.expect(own, is: ["\(number) begins", "\(number) ends"], "the order")
                }
                watching.cancel()
                store.value?.cancel()
            }
        }

        @Test(
            "Jobs that two threads start receive their subscriptions before their completions, and end", arguments: JobPolicy.all)
        func starting(_ policy: JobPolicy) {
            explore { stage in
                let never = Numbers()
                let run = Run(policy) { _ in never.eraseToAnyPublisher() }
                stage.thread { run.starts[0].send(1) }
                stage.thread { run.starts[1].send(2) }
                stage.afterwards { stage in
                    never.send(completion: .finished)
                    run.expectTheEnd(stage)
                }
            }
        }

        @Test(
            "A job that starts while another one ends receives its subscription before its completion, and both end",
            arguments: JobPolicy.all)
        func ending(_ policy: JobPolicy) {
            explore { stage in
                let first = Numbers()
                let run = Run(policy) { number in
                    number == 1 ? first.eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
                }
                run.starts[0].send(1)
                stage.thread { first.send(completion: .finished) }
                stage.thread { run.starts[1].send(2) }
                stage.afterwards { stage in run.expectTheEnd(stage) }
            }
        }
    }
}

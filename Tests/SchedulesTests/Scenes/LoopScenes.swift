import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("The loop") struct LoopScenes {
        typealias Events = PassthroughSubject<Int, Never>

        /// A loop whose state is the list of the handled events.
        private struct Run {
            let events = Events()
            let transforms = Shared(0)
            let overlaps = Shared(0)

            func start(
                _ stage: Stage, feedback: @escaping (AnyPublisher<[Int], Never>) -> [AnyPublisher<Int, Never>] = { _ in [] },
                transform: @escaping @Sendable (Int) -> AnyPublisher<Int, Never> = { Just($0).eraseToAnyPublisher() },
                store: (AnyCancellable) -> Void
            ) -> AnyPublisher<[Int], Never> {
                let isBusy = Shared(false)
                let token = Token(stage, "an object of the loop's functions")
                return Moonlight.start(
                    initialState: [], environment: (),
                    feedback: { [events] states in
                        let others = feedback(states)
                        let events = events.eraseToAnyPublisher()
                        return others.isEmpty ? events : Publishers.MergeMany([events] + others).eraseToAnyPublisher()
                    },
                    transform: { [transforms, overlaps] _, event, _ in
                        if isBusy.value { overlaps.value += 1 }
                        isBusy.value = true
                        SwitchPoint.reached()
                        transforms.value += 1
                        isBusy.value = false
                        return transform(token.pass(event))
                    },
                    apply: { [overlaps] state, effect in
                        if isBusy.value { overlaps.value += 1 }
                        isBusy.value = true
                        SwitchPoint.reached()
                        isBusy.value = false
                        return state + [effect]
                    }, store: store, isolation: nil)
            }
        }

        @Test("Events of two threads are handled once, one at a time and in each thread's order, and observers see each state")
        func twoSenders() {
            explore { stage in
                let run = Run()
                let handle = Shared<AnyCancellable?>(nil)
                let seen = Shared<[[Int]]>([])
                let states = run.start(stage) { handle.value = $0 }
                let watching = states.sink { seen.value.append($0) }
                stage.thread { for event in [1, 2] { run.events.send(event) } }
                stage.thread { run.events.send(101) }
                stage.afterwards { stage in
                    let last = seen.value.last ?? []
                    stage.expect(last.sorted(), is: [1, 2, 101], "events taken")
                    stage.expect(last.filter { $0 < 100 }, is: [1, 2], "a thread's order")
                    stage.expect(seen.value, is: (0...3).map { Array(last.prefix($0)) }, "states seen")
                    stage.expect(run.overlaps.value, is: 0, "calls at the same time")
                    handle.value?.cancel()
                    watching.cancel()
                }
            }
        }

        @Test("A loop runs at most the current call once `cancel()` has returned, and releases everything")
        func cancelling() {
            explore { stage in
                let run = Run()
                let handle = Shared<AnyCancellable?>(nil)
                let (late, isCancelled, completions) = (Shared(0), Shared(false), Shared(0))
                let states = run.start(stage) { handle.value = $0 }
                let watching = states.sink(
                    receiveCompletion: { _ in completions.value += 1 },
                    receiveValue: { _ in if isCancelled.value { late.value += 1 } })
                let counted = Shared(0)
                stage.thread { for event in [1, 2] { run.events.send(event) } }
                stage.thread { run.events.send(101) }
                stage.thread {
                    handle.value?.cancel()
                    counted.value = run.transforms.value
                    isCancelled.value = true
                }
                stage.afterwards { stage in
                    stage.expect(run.transforms.value - counted.value <= 1, "transform ran after cancel()")
                    stage.expect(late.value <= 1, "\(late.value) states after cancel()")
                    stage.expect(completions.value, is: 1, "completions of the stream of states")
                    let before = run.transforms.value
                    run.events.send(3)
                    stage.expect(run.transforms.value, is: before, "transforms")
                    watching.cancel()
                }
            }
        }

        @Test("A subscriber of the states that subscribes while events run receives the current state and each later one, once")
        func observing() {
            explore { stage in
                let run = Run()
                let handle = Shared<AnyCancellable?>(nil)
                let seen = Shared<[[Int]]>([])
                let watching = Shared<AnyCancellable?>(nil)
                let states = run.start(stage) { handle.value = $0 }
                stage.thread { for event in [1, 2] { run.events.send(event) } }
                stage.thread { watching.value = states.sink { seen.value.append($0) } }
                stage.afterwards { stage in
                    let all = [[], [1], [1, 2]]
                    stage.expect(!seen.value.isEmpty, "saw nothing")
                    stage.expect(seen.value, is: Array(all.suffix(seen.value.count)), "states seen")
                    handle.value?.cancel()
                    watching.value = nil
                }
            }
        }

        @Test(
            "A subscriber that cancels while two threads send receives at most the current state; a new one misses none"
        )
        func observersBesideTwo() {
            explore { stage in
                let run = Run()
                let handle = Shared<AnyCancellable?>(nil)
                let (all, seen, late) = (Shared<[[Int]]>([]), Shared<[[Int]]>([]), Shared(0))
                let (hasLeft, coming) = (Shared(false), Shared<AnyCancellable?>(nil))
                let states = run.start(stage) { handle.value = $0 }
                let watching = states.sink { all.value.append($0) }
                let leaving = states.sink { _ in if hasLeft.value { late.value += 1 } }
                stage.thread { run.events.send(1) }
                stage.thread { run.events.send(101) }
                stage.thread {
                    leaving.cancel()
                    hasLeft.value = true
                    coming.value = states.sink { seen.value.append($0) }
                }
                stage.afterwards { stage in
                    stage.expect(all.value.last?.sorted(), is: [1, 101], "events taken")
                    stage.expect(late.value <= 1, "\(late.value) states after cancel()")
                    stage.expect(!seen.value.isEmpty, "saw nothing")
                    stage.expect(seen.value, is: Array(all.value.suffix(seen.value.count)), "states seen")
                    handle.value?.cancel()
                    (coming.value, _) = (nil, watching.cancel())
                }
            }
        }

        @Test("Effects that another thread sends are applied once and in order, and the loop ends by itself after the last")
        func lateEffects() {
            explore { stage in
                let run = Run()
                let effects = Events()
                let handle = Shared<AnyCancellable?>(nil)
                let (last, completions) = (Shared<[Int]>([]), Shared(0))
                let states = run.start(
                    stage, transform: { $0 == 1 ? effects.eraseToAnyPublisher() : Just($0).eraseToAnyPublisher() }
                ) { handle.value = $0 }
                let watching = states.sink(
                    receiveCompletion: { _ in completions.value += 1 }, receiveValue: { last.value = $0 })
                run.events.send(1)
                stage.thread {
                    for effect in [11, 12] { effects.send(effect) }
                    effects.send(completion: .finished)
                }
                stage.thread {
                    run.events.send(101)
                    run.events.send(completion: .finished)
                }
                stage.afterwards { stage in
                    stage.expect(last.value.sorted(), is: [11, 12, 101], "effects applied")
                    stage.expect(last.value.filter { $0 < 100 }, is: [11, 12], "the order of a stream's effects")
                    stage.expect(completions.value, is: 1, "completions")
                    handle.value?.cancel()
                    watching.cancel()
                }
            }
        }

        @Test("A loop that is cancelled while it subscribes to a stream of effects leaves none subscribed")
        func cancellingEffects() {
            explore { stage in
                let run = Run()
                let effects = Events()
                let handle = Shared<AnyCancellable?>(nil)
                let live = Shared(0)
                _ = run.start(
                    stage,
                    transform: { _ in
                        effects.handleEvents(
                            receiveSubscription: { _ in live.value += 1 }, receiveCancel: { live.value -= 1 }
                        ).eraseToAnyPublisher()
                    }
                ) { handle.value = $0 }
                stage.thread { run.events.send(1) }
                stage.thread { handle.value?.cancel() }
                stage.afterwards { $0.expect(live.value, is: 0, "effects still subscribed") }
            }
        }

        @Test("Feedback that sends an event for each state does so once for each event of two threads")
        func feedback() {
            explore { stage in
                let run = Run()
                let handle = Shared<AnyCancellable?>(nil)
                let last = Shared<[Int]>([])
                let states = run.start(
                    stage,
                    feedback: { states in
                        [states.compactMap { $0.last }.filter { $0 < 10 }.map { $0 + 10 }.eraseToAnyPublisher()]
                    }
                ) { handle.value = $0 }
                let watching = states.sink { last.value = $0 }
                stage.thread { run.events.send(1) }
                stage.thread { run.events.send(2) }
                stage.afterwards { stage in
                    stage.expect(last.value.sorted(), is: [1, 2, 11, 12], "events taken")
                    handle.value?.cancel()
                    watching.cancel()
                }
            }
        }

        @Test("A store that two threads send to and a third cancels has not handled an event that it reports as refused")
        func store() {
            explore { stage in
                let token = Token(stage, "an object of the store's functions")
                let taken = Shared<[Int]>([])
                let store = Store<[Int], Int>(
                    reducer: Reducer(
                        transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                        apply: { (state: inout [Int], effect: Int) in
                            taken.value.append(token.pass(effect))
                            state.append(effect)
                        }),
                    initialState: [], environment: (), isolation: nil)
                let refused = Shared<[Int]>([])
                for sender in [[1, 2], [101]] {
                    stage.thread {
                        for event in sender {
                            let answer: Result<Void, SendError> = store.send(event)
                            if case .failure = answer { refused.value.append(event) }
                        }
                    }
                }
                stage.thread { store.cancel() }
                stage.afterwards { stage in
                    stage.expect(Set(taken.value).intersection(refused.value).isEmpty, "refused, but taken: \(refused.value)")
                    stage.expect(taken.value.filter { $0 < 100 }, is: taken.value.filter { $0 < 100 }.sorted(), "order")
                    // The effect that was being applied at the cancellation is not shown.
                    let isShort = store.state == taken.value.dropLast()
                    stage.expect(isShort || store.state == taken.value, "the last state \(store.state) of \(taken.value)")
                }
            }
        }

        private func countingStore(_ bound: InboxBound = .unbounded) -> Store<[Int], Int> {
            Store(
                reducer: Reducer(transform: { _, event, _ in .just(event) }, apply: { $0[$1] += 1 }),
                initialState: [0, 0], environment: (), options: LoopOptions(inbox: bound), isolation: nil)
        }

        @Test(
            "A store that is drained while threads send handles each event that it has taken",
            arguments: [InboxBound.unbounded, .reject(2)])
        func draining(bound: InboxBound) {
            explore { stage in
                let store = countingStore(bound)
                let taken = Shared([0, 0])
                for sender in 0...1 {
                    stage.thread {
                        for _ in 1...2 { if case .success = store.send(sender) { taken.value[sender] += 1 } }
                    }
                }
                stage.thread { store.beginDraining() }
                stage.afterwards { $0.expect(store.state, is: taken.value, "events handled") }
            }
        }

        @Test("`quiet()` returns after the events that its caller has sent, while another thread sends and waits, too")
        func quiet() {
            explore { stage in
                let store = countingStore()
                let executors = [SteppedExecutor(), SteppedExecutor()]
                let seen = Shared([0, 0])
                for (sender, executor) in executors.enumerated() {
                    stage.thread {
                        Task(executorPreference: executor) {
                            store.post(sender)
                            await store.quiet()
                            seen.value[sender] = store.state[sender]
                        }
                        executor.run()
                    }
                }
                stage.afterwards { stage in
                    for executor in executors { executor.run() }
                    stage.expect(seen.value, is: [1, 1], "events handled before quiet() returned")
                }
            }
        }

        @Test("The later of two threads' jobs with one id remains, and only its effects arrive")
        func latestJob() {
            explore { stage in
                let run = Run()
                let sources = [Events(), Events()]
                let live = Shared(0)
                let handle = Shared<AnyCancellable?>(nil)
                let last = Shared<[Int]>([])
                let states = run.start(
                    stage,
                    transform: { event in
                        sources[event].handleEvents(
                            receiveSubscription: { _ in live.value += 1 }, receiveCancel: { live.value -= 1 }
                        ).job("one", .latest)
                            .eraseToAnyPublisher()
                    }
                ) { handle.value = $0 }
                let watching = states.sink { last.value = $0 }
                stage.thread { run.events.send(0) }
                stage.thread { run.events.send(1) }
                stage.afterwards { stage in
                    stage.expect(live.value, is: 1, "jobs that run")
                    for (index, source) in sources.enumerated() { source.send(index) }
                    stage.expect(last.value.count, is: 1, "effects")
                    handle.value?.cancel()
                    stage.expect(live.value, is: 0, "jobs that run after the end")
                    watching.cancel()
                }
            }
        }
    }
}

import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// No lock is held while user code runs: here, that of states, events, effects, ids and environments of loops.
extension Schedules {
    @Suite("No lock is held while user code runs: loops") struct LoopLockScenes {
        private struct Event: Sendable {
            let probe: Probe
            var effects: @Sendable () -> AnyPublisher<Probe, Never> = { Empty().eraseToAnyPublisher() }
        }

        private typealias Effects = AnyPublisher<Probe, Never>
        private typealias ProbeStore = Store<Probe, Event>

        private static func never() -> Effects { Empty(completeImmediately: false).eraseToAnyPublisher() }

        private static func store(
            _ watch: LockWatch, _ options: LoopOptions<Probe, Event, Probe> = LoopOptions(),
            feedback: (AnyPublisher<Probe, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] }
        ) -> ProbeStore {
            let environment = watch.probe(90)
            return ProbeStore(
                reducer: Reducer(
                    transform: { _, event, environment in environment.pass(event.effects()) },
                    apply: { $0 = $0.plus($1.number) }),
                initialState: watch.probe(0), environment: environment, options: options, feedback: feedback)
        }

        private static func expectNone(
            _ what: String, location: SourceLocation = #_sourceLocation, _ body: (LockWatch) -> Void
        ) { OperatorLockScenes.expectNone(what, body, location: location) }

        /// Sends some events while the loop handles the first, so that they wait.
        private static func flood(_ store: ProbeStore, _ watch: LockWatch, _ count: Int = 4) {
            store.send(
                Event(probe: watch.probe(1)) {
                    for number in 2..<2 + count {
                        store.send(Event(probe: watch.probe(number)) { Just(watch.probe(number)).eraseToAnyPublisher() })
                    }
                    return Just(watch.probe(1)).eraseToAnyPublisher()
                })
        }

        @Test(
            "An inbox coalesces, refuses and drops events without holding a lock",
            arguments: [InboxBound.unbounded, .reject(1), .dropOldest(1), .suspend(1)], [false, true])
        func inbox(_ bound: InboxBound, isFolding: Bool) {
            Self.expectNone("\(bound), \(isFolding)") { watch in
                let held = watch.probe(91)
                let fold: @Sendable (Event, Event) -> Event? = { held.pass($0.probe.number % 2 == 0 ? nil : $1) }
                let store = Self.store(
                    watch,
                    LoopOptions(
                        journal: { record in _ = held.pass(record.description) },
                        coalesce: isFolding ? fold : nil, inbox: bound,
                        stepLimit: 2, onRunaway: { _ in held.pass(()) }))
                Self.flood(store, watch)
                Self.flood(store, watch)
                store.cancel()
                store.send(Event(probe: watch.probe(8)))
            }
        }

        @Test("A loop that is cancelled releases its queued events without holding a lock")
        func waiting() {
            Self.expectNone("close") { watch in
                let store = Self.store(watch, LoopOptions(inbox: .dropOldest(3)))
                store.send(
                    Event(probe: watch.probe(1)) {
                        for number in 2...6 { store.send(Event(probe: watch.probe(number))) }
                        store.cancel()
                        return Just(watch.probe(1)).eraseToAnyPublisher()
                    })
            }
        }

        @Test("Awaited events of a loop that ends meanwhile hold no lock while user code runs")
        func awaited() async {
            let watch = LockWatch()
            await Self.await(watch)
            #expect(watch.found == [])
        }

        private static func await(_ watch: LockWatch) async {
            let store = store(watch, LoopOptions(journal: { _ in }, inbox: .suspend(1)))
            _ = await store.send(Event(probe: watch.probe(1)) { Just(watch.probe(1)).eraseToAnyPublisher() })
            let executor = SteppedExecutor()
            let work = PassthroughSubject<Probe, Never>()
            let task = Task(executorPreference: executor) {
                _ = await store.send(Event(probe: watch.probe(2)) { work.eraseToAnyPublisher() })
            }
            executor.run()
            work.send(watch.probe(3))
            store.cancel()
            executor.run()
            await task.value
        }

        @Test("Jobs use their ids, events and streams without holding a lock", arguments: JobPolicy.all)
        func jobs(_ policy: JobPolicy) {
            Self.expectNone("\(policy)") { watch in
                let work = PassthroughSubject<Probe, Never>()
                let store = Self.store(watch, LoopOptions(journal: { record in _ = record.description }))
                let other: JobPolicy = policy == .merge ? .queue : .merge
                for number in [1, 1, 2, 1] {
                    store.send(
                        Event(probe: watch.probe(number)) {
                            work.prefix(2).job(watch.probe(number), policy).eraseToAnyPublisher()
                        })
                    work.send(watch.probe(5))
                }
                store.send(Event(probe: watch.probe(1)) { Self.never().job(watch.probe(1), other).eraseToAnyPublisher() })
                for job in store.jobs { _ = job.hashValue + job.id.description.count }
                store.cancelJob(watch.probe(1))
                store.cancelJob(watch.probe(7))
                work.send(watch.probe(6))
                store.send(Event(probe: watch.probe(3)) { .cancelJob(watch.probe(2)) })
                store.send(Event(probe: watch.probe(3)) { Self.never().job(watch.probe(3), policy).eraseToAnyPublisher() })
                store.cancel()
                #expect(store.jobs.isEmpty)
            }
        }

        @Test("Jobs of one id that two threads start and cancel hold no lock while user code runs")
        func jobThreads() {
            explore(preemptions: 2, limit: 400) { stage in
                let watch = LockWatch()
                let context = [Self.store(watch), Self.store(watch)]
                let store = context[0]
                let work = PassthroughSubject<Probe, Never>()
                let begun = Shared(0)
                for number in 1...2 {
                    stage.thread {
                        store.send(
                            Event(probe: watch.probe(number)) {
                                work.handleEvents(receiveSubscription: { _ in begun.value += 1 })
                                    .job(watch.probe(1), .queue).eraseToAnyPublisher()
                            })
                        store.cancelJob(watch.probe(number + 1))
                    }
                }
                stage.afterwards { stage in
                    stage.expect(store.jobs.count, is: 2, "jobs in flight")
                    stage.expect(begun.value, is: 1, "jobs that run")
                    store.cancelJob(watch.probe(1))
                    stage.expect(store.jobs.count, is: 0, "jobs in flight")
                    store.cancel()
                }
                stage.lastly { watch.found.isEmpty ? nil : watch.found.joined(separator: "; ") }
            }
        }

        @Test("Reactions use their queries, keys and ids of paths without holding a lock")
        func reactions() {
            Self.expectNone("reactions") { watch in
                let events = PassthroughSubject<Event, Never>()
                let path = ScopePath.root.child("row", id: watch.probe(80))
                let store = Self.store(watch, LoopOptions(journal: { _ in })) { states in
                    [
                        states.react(to: { $0 }) { _ in events }.located(at: path),
                        states.react(toEach: { [$0, $0.plus(1)] }) { _ in events.prefix(1) }.located(at: path),
                        Rule.events(
                            of: [
                                Rule("rule").when(.appearing { (state: Probe) in state.number > 0 ? state : nil })
                                    .given { $0.number < 9 }.then { Event(probe: $0) }
                            ], from: states
                        ).located(at: path),
                        states.throttle(for: 1, scheduler: VirtualTimeScheduler(), latest: true).map { Event(probe: $0) }
                            .eraseToAnyPublisher(),
                    ]
                }
                for number in 1...3 {
                    store.send(Event(probe: watch.probe(number)) { Just(watch.probe(number)).eraseToAnyPublisher() })
                }
                for reaction in store.reactions { _ = reaction.hashValue + reaction.path.description.count }
                events.send(Event(probe: watch.probe(9)))
                store.cancel()
            }
        }

        @Test("States that are observed and outlive their loop are used without holding a lock", arguments: [false, true])
        func states(isCancelled: Bool) {
            Self.expectNone("states") { watch in
                let events = PassthroughSubject<Event, Never>()
                let store = Self.store(watch) { _ in [events.eraseToAnyPublisher()] }
                let taker = ProbeTaker(.max(1), watch)
                store.states.setFailureType(to: ProbeError.self).subscribe(taker)
                let values = store.values(of: \.copy).sink { _ in }
                for number in 1...3 {
                    events.send(Event(probe: watch.probe(number)) { Just(watch.probe(number)).eraseToAnyPublisher() })
                }
                isCancelled ? store.cancel() : events.send(completion: .finished)
                let late = ProbeTaker(.unlimited, watch)
                store.states.setFailureType(to: ProbeError.self).subscribe(late)
                _ = store.state.number
                taker.cancel()
                withExtendedLifetime(values) {}
            }
        }

        // MARK: Children

        fileprivate struct Board: Equatable, Sendable {
            var rows = IdentifiedList<Probe, Probe>()
            var box: Probe
            var guest: Probe?
        }

        fileprivate enum BoardEvent: Sendable {
            case row(Probe, Probe)
            case guest(Probe)
            case box(Probe)
            case remove(Probe)
            case leave
        }

        private static let row = CasePath(BoardEvent.row) { if case .row(let id, let probe) = $0 { (id, probe) } else { nil } }
        private static let guest = CasePath(BoardEvent.guest) { if case .guest(let probe) = $0 { probe } else { nil } }
        private static let box = CasePath(BoardEvent.box) { if case .box(let probe) = $0 { probe } else { nil } }

        /// A child that changes, and has two effects in flight: a plain one and a job.
        private static func child(_ work: PassthroughSubject<Probe, Never>) -> Reducer<Probe, Probe, Probe, Void> {
            Reducer(
                transform: { _, event, _ in
                    Just(event).append(work).merge(with: work.job(event, .merge)).eraseToAnyPublisher()
                }, apply: { $0 = $0.plus($1.number) })
        }

        private static func board(
            _ work: PassthroughSubject<Probe, Never>, isAround: Bool
        ) -> Reducer<Board, BoardEvent, BoardEvent, Void> {
            let own = Reducer<Board, BoardEvent, BoardEvent, Void>(
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                apply: { (board: inout Board, effect: BoardEvent) in
                    switch effect {
                    case .remove(let id): board.rows.remove(id: id)
                    case .leave: board.guest = nil
                    default: break
                    }
                })
            let all = own.combined(
                with: child(work).scoped(toEach: \Board.rows, event: row, effect: row, environment: { (_: Void) in })
            ).combined(
                with: child(work).scoped(
                    toOptional: \Board.guest, id: { $0.plus(-$0.number) }, event: guest, effect: guest,
                    environment: { (_: Void) in }))
            return isAround
                ? all.middleware { state, event, environment, next in
                    .just(event).combined(with: try next(state, event, environment))
                } : all
        }

        @Test("Children by id that are added, work and are removed hold no lock while user code runs", arguments: [false, true])
        func children(isAround: Bool) {
            Self.expectNone("children") { watch in
                let work = PassthroughSubject<Probe, Never>()
                var board = Board(box: watch.probe(0), guest: watch.probe(1))
                for id in 1...4 { board.rows.append(watch.probe(id), id: watch.probe(id)) }
                let store = Store(reducer: Self.board(work, isAround: isAround), initialState: board, environment: ())
                for id in 1...4 { store.send(.row(watch.probe(id), watch.probe(10))) }
                store.send(.row(watch.probe(2), watch.probe(10)))
                store.send(.row(watch.probe(9), watch.probe(10)))
                store.send(.guest(watch.probe(10)))
                work.send(watch.probe(1))
                for job in store.jobs { _ = job.id.description.count + job.hashValue }
                store.send(.remove(watch.probe(2)))
                store.send(.leave)
                work.send(watch.probe(1))
                work.send(completion: .finished)
                for id in 3...4 { store.send(.row(watch.probe(id), watch.probe(10))) }
                store.cancel()
            }
        }

        @Test("Children that two threads send to, one of which is removed, hold no lock while user code runs")
        func childThreads() {
            explore(preemptions: 2, limit: 300, rounds: 50) { stage in
                let watch = LockWatch()
                let works = [PassthroughSubject<Probe, Never>(), PassthroughSubject<Probe, Never>()]
                var board = Board(box: watch.probe(0))
                for id in 1...2 { board.rows.append(watch.probe(id), id: watch.probe(id)) }
                let store = Store(reducer: Self.board(works[0], isAround: false), initialState: board, environment: ())
                store.send(.row(watch.probe(1), watch.probe(10)))
                stage.thread {
                    store.send(.row(watch.probe(1), watch.probe(10)))
                    works[0].send(watch.probe(1))
                }
                stage.thread {
                    store.send(.remove(watch.probe(1)))
                    store.send(.row(watch.probe(2), watch.probe(10)))
                }
                stage.afterwards { stage in
                    stage.expect(store.jobs.count, is: 1, "jobs in flight, of the child that is there")
                    store.cancel()
                }
                stage.lastly { watch.found.isEmpty ? nil : watch.found.joined(separator: "; ") }
            }
        }

        /// Two parts undo each other's changes: the state is equal, and has other objects.
        @Test("A child that is changed after an effect that changed only objects is used without holding a lock")
        func changed() {
            Self.expectNone("change") { watch in
                let rows = Reducer<Probe, Probe, Probe, Void>(
                    transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $0.plus($1.number) }
                ).scoped(toEach: \Board.rows, event: Self.row, effect: Self.row, environment: { (_: Void) in })
                func changing(by number: Int) -> Reducer<Board, BoardEvent, BoardEvent, Void> {
                    Reducer<Probe, Probe, Probe, Void>(
                        transform: { _, event, _ in number < 0 ? Empty().eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
                        },
                        apply: { (state: inout Probe, _: Probe) in state = state.plus(number) }
                    ).scoped(to: \Board.box, event: Self.box, effect: Self.box, environment: { (_: Void) in })
                }
                var board = Board(box: watch.probe(0))
                for id in 1...4 { board.rows.append(watch.probe(id), id: watch.probe(id)) }
                let store = Store(
                    reducer: .combine(rows, changing(by: 1), changing(by: -1)), initialState: board, environment: ())
                // Retained only by the store, not by this test.
                board = Board(box: watch.probe(0))
                for _ in 0..<2 {
                    store.send(.row(watch.probe(1), watch.probe(10)))
                    store.send(.box(watch.probe(1)))
                }
                store.send(.row(watch.probe(1), watch.probe(10)))
                #expect(store.state.rows[id: watch.probe(1)]?.number == 31)
                store.cancel()
            }
        }

        // MARK: Tests' own

        @Test("`testMoonlight`, plans, stubs and virtual clocks hold no lock while user code runs")
        func testing() async throws {
            let watch = LockWatch()
            try await Self.test(watch)
            #expect(watch.found == [])
        }

        private static func test(_ watch: LockWatch) async throws {
            try await testMoonlight(
                events: [watch.probe(1), watch.probe(2)], initialState: watch.probe(0), expectedState: watch.probe(3),
                environment: watch.probe(90),
                transform: { _, event, environment in environment.pass(Just(event).eraseToAnyPublisher()) },
                apply: { $0.plus($1.number) })
            let load = Stub<Probe, Probe, Never>("load")
            let watching = Stub<Probe, Probe, Never>("watching")
            let reducer = Reducer<Probe, Probe, Probe, (Stubs, @Sendable (Probe) async -> Probe, @Sendable (Probe) -> Effects)>(
                transform: { _, event, environment in
                    let (stubs, load, watching) = environment
                    return Effects.run { send in
                        try? await stubs.clock.sleep(for: .seconds(1))
                        send(await load(event))
                    }
                    .merge(with: watching(event)).job(event.plus(-event.number), .latest).eraseToAnyPublisher()
                }, apply: { $0 = $0.plus($1.number) })
            try Plan(reducer, given: watch.probe(0)) { ($0, $0.async(load), $0.publisher(watching)) }
                .when(watch.probe(1))
                .resolve(watching(watch.probe(1)), with: watch.probe(5))
                .advance(by: .seconds(1))
                .resolve(load(watch.probe(1)), with: watch.probe(7))
                .when(watch.probe(2))
                .ignoringCalls(of: "watching")
                .ignoringInFlight()
                .run()
        }
    }
}

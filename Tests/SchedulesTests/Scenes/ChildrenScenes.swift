import Moonlight
import Streams
import Testing

extension Schedules {
    @Suite("Children by id") struct ChildrenScenes {
        /// Both numbers must be equal at any time.
        private struct Row: Equatable {
            var (one, two) = (0, 0)
        }

        private struct Rows: Equatable {
            var list = IdentifiedList<Int, Row>()
            init() { for id in 0...1 { list.append(Row(), id: id) } }

            var levels: [Int] { list.map(\.one) }
            var areWhole: Bool { list.allSatisfy { $0.one == $0.two } }
        }

        private enum Event {
            case row(Int, Int)
            case replace(Int)
            static let row = CasePath(Event.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } }
        }

        private enum Effect {
            case row(Int, Int)
            case replaced(Int)
            static let row = CasePath(Effect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } }
        }

        /// Adds to a row; 0 starts a stream.
        private func makeStore(_ notes: PassthroughSubject<Int, Never> = .init()) -> Store<Rows, Event> {
            let row = Reducer<Row, Int, Int, PassthroughSubject<Int, Never>>(
                transform: { _, amount, notes in
                    amount == 0 ? notes.eraseToAnyPublisher() : Just(amount).eraseToAnyPublisher()
                },
                apply: { row, amount in
                    row.one += amount
                    SwitchPoint.reached()
                    row.two += amount
                })
            let itself = Reducer<Rows, Event, Effect, PassthroughSubject<Int, Never>>(
                transform: { _, event, _ in
                    if case .replace(let id) = event {
                        Just(.replaced(id)).eraseToAnyPublisher()
                    } else {
                        Empty().eraseToAnyPublisher()
                    }
                },
                apply: { rows, effect in
                    guard case .replaced(let id) = effect else { return }
                    rows.list.remove(id: id)
                    rows.list.append(Row(), id: id)
                })
            return Store(
                reducer: itself.combined(
                    with: row.scoped(toEach: \.list, event: Event.row, effect: Effect.row, environment: { $0 })),
                initialState: Rows(), environment: notes)
        }

        @Test("A child that is changed in place is never seen half changed, and a state that was read before does not change")
        func reading() {
            explore { stage in
                let store = makeStore()
                let read = Shared<[(rows: Rows, levels: [Int])]>([])
                stage.thread { for amount in [1, 2] { store.send(.row(0, amount)) } }
                stage.thread {
                    for _ in 0..<2 {
                        let rows = store.state
                        read.value.append((rows, rows.levels))
                    }
                }
                stage.afterwards { stage in
                    for (rows, levels) in read.value {
                        stage.expect(rows.areWhole, "half a change: \(rows)")
                        stage.expect(rows.levels, is: levels, "an earlier state")
                        stage.expect([0, 1, 3].contains(levels[0]), "got \(levels)")
                    }
                    stage.expect(store.state.levels, is: [3, 0], "levels")
                    store.cancel()
                }
            }
        }

        @Test(
            "A subscriber of the states that subscribes while a child changes receives the current state and each later one, once"
        )
        func joining() {
            explore { stage in
                let store = makeStore()
                let seen = Shared<[Rows]>([])
                let watching = Shared<AnyCancellable?>(nil)
                stage.thread { for amount in [1, 2] { store.send(.row(0, amount)) } }
                stage.thread { watching.value = store.states.sink { seen.value.append($0) } }
                stage.afterwards { stage in
                    let levels = seen.value.map(\.levels[0])
                    stage.expect(!levels.isEmpty, "no state")
                    stage.expect(levels, is: Array([0, 1, 3].suffix(levels.count)), "states seen")
                    stage.expect(seen.value.allSatisfy(\.areWhole), "half a change: \(seen.value)")
                    watching.value?.cancel()
                    store.cancel()
                }
            }
        }

        @Test("An effect of a child that is being replaced is applied to the old child or dropped")
        func replacing() {
            explore { stage in
                let notes = PassthroughSubject<Int, Never>()
                let store = makeStore(notes)
                store.send(.row(0, 0))
                store.send(.row(0, 5))
                stage.thread { notes.send(1) }
                stage.thread { store.send(.replace(0)) }
                stage.afterwards { stage in
                    stage.expect(store.state.levels, is: [0, 0], "levels")
                    notes.send(1)
                    stage.expect(store.state.levels, is: [0, 0], "levels after a late note")
                    store.cancel()
                }
            }
        }
    }
}

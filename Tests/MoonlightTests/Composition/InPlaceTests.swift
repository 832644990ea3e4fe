import MoonlightTestSupport
import Testing

@testable import Moonlight

// Under the thread sanitizer nothing is changed in place.
#if !THREAD_SANITIZER

    @Suite("Changes in place of a child among many, if nobody has kept the state")
    struct InPlaceTests {
        private typealias Rows = IdentifiedList<Int, Lamp>

        /// Whether each of some events has changed row 50 without a copy of what holds it.
        private func isInPlace(_ reducer: TableReducer<Rows>, _ events: [TableEvent]) -> [Bool] {
            let store = Store(reducer: reducer, initialState: tableOfLamps(100), environment: Lamp.World())
            return events.map { event in
                let (before, level) = (ObjectIdentifier(store.state.rows.entries.root), store.state.rows[id: 50]?.level ?? 0)
                store.send(event)
                expect(store.state.rows[id: 50]?.level ?? 0 > level)
                return ObjectIdentifier(store.state.rows.entries.root) == before
            }
        }

        @Test("A child among many is changed in place, and nothing that contains it is copied")
        func inPlace() {
            expectEqual(isInPlace(tableOfList, [.row(50, .up(1)), .row(50, .up(2)), .row(50, .up(3))]), [true, true, true])
        }

        @Test("A child among many is copied if a later part of the reducer may look at the effect, too")
        func othersFollow() {
            let looking = TableReducer<Rows>(transform: { _, _, _ in .none }, apply: { _, _ in })
            expectEqual(isInPlace(tableOfList.combined(with: looking), [.row(50, .up(1)), .row(50, .up(2))]), [false, false])
            expectEqual(isInPlace(looking.combined(with: tableOfList), [.row(50, .up(1)), .row(50, .up(2))]), [true, true])
        }
    }

#endif

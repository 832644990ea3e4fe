import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// Runs each operation on a thread or in a task of its own, since an endless loop or wait in the test itself could not be
/// reported.
@Suite("Termination of stores", .serialized)
struct TerminationTests {
    private let seen = Recorder<String>()

    private static func twice(_ word: String) -> Words { [word, word].publisher.eraseToAnyPublisher() }

    @Test("A store that its own closures send to handles all events, and becomes quiet")
    func inside() {
        let ended = ends { [seen] in
            for hasJournal in [false, true] {
                let store = scriptStore(hasJournal: hasJournal) { states in
                    [states.react(when: { $0.count == 2 }) { Just(.words(["e", "f"])) }]
                }
                let observer = store.states.sink { state in
                    if state.count == 1 { store.post(.words(["c", "d"])) }
                    // Another thread sends while the loop is busy.
                    if state.count == 3 { elsewhere { store.post(.stream("late") { Self.twice("g") }) } }
                }
                store.post(.words(["a", "b"]))
                settle()
                store.post(.refused)
                seen.append(store.state.joined() + (store.isQuiet ? ", quiet" : ""))
                observer.cancel()
                store.cancel()
                seen.append(store.state.joined())
            }
        }
        expect(ended)
        let words = seen.all.map { String($0.prefix(8).sorted()) }
        expectEqual(words, Array(repeating: "abcdefgg", count: 4))
        expectEqual(seen.all.filter { $0.hasSuffix(", quiet") }.count, 2)
    }

    @Test("Every await on a store returns: of an event, a stream, a refusal, quiet and the end", arguments: [false, true])
    func answers(hasJournal: Bool) async {
        let ended = await endsInTask { [seen] in
            let store = scriptStore(hasJournal: hasJournal)
            let live = PassthroughSubject<String, Never>()
            for stage in [SendStage.decided, .settled] {
                seen.append(await store.send(.words(["a"]), until: stage).word)
                seen.append(await store.send(.refused, until: stage).word)
                seen.append(await store.send(.stream("b") { .run { send in send("b") } }, until: stage).word)
                await store.quiet()
            }
            seen.append(await store.send(.stream("live") { live.eraseToAnyPublisher() }, until: .decided).word)
            async let settled = store.send(.stream("live") { live.eraseToAnyPublisher() })
            try? await until { store.inFlight.count == 2 }
            async let quiet: Void = store.quiet()
            live.send("c")
            live.send(completion: .finished)
            seen.append(await settled.word)
            await quiet
            seen.append(await store.send(.stream("end") { .run { _ in store.cancel() } }).word)
            await store.finished()
            seen.append(store.state.joined())
        }
        expect(ended)
        expectEqual(
            seen.all,
            [
                "settled", "rejected Refusal()", "settled", "settled", "rejected Refusal()", "settled", "settled", "settled",
                "interrupted: the loop has ended", "ababcc",
            ])
    }

    @Test("An event that a body awaits from its own store is answered, also by queues that await each other")
    func awaited() async {
        let ended = await endsInTask { [seen] in
            let store = scriptStore()
            let inner: @Sendable (String) -> ScriptEvent = { id in
                .stream(id) { .run { send in send("inner") }.job(id, .queue).eraseToAnyPublisher() }
            }
            let outer: @Sendable (String, String) -> ScriptEvent = { id, other in
                .stream(id) {
                    .run { send in send("\(id): \(await store.send(inner(other)).word.prefix(8))") }
                        .job(id, .queue).eraseToAnyPublisher()
                }
            }
            // Two jobs that await each other's queue, of which one is rejected. Then one that awaits its own queue.
            store.post(outer("a", "b"))
            await store.send(outer("b", "a"))
            await store.quiet()
            await store.send(outer("c", "c"))
            for word in store.state { seen.append(word) }
            store.cancel()
        }
        expect(ended)
        expectEqual(seen.last, "c: rejected")
        expectEqual(seen.all.filter { $0.hasPrefix("a: ") || $0.hasPrefix("b: ") }.count, 2)
    }

    @Test(
        "An effect of a store that runs one at a time can await an event of that store",
        arguments: [InboxBound.unbounded, .suspend(1)])
    func limited(bound: InboxBound) async {
        let ended = await endsInTask { [seen] in
            let store = scriptStore(ScriptOptions(inbox: bound, effectLimit: 1))
            await store.send(.stream("outer") { .run { send in send(await store.send(.words(["inner"])).word) } })
            await store.quiet()
            seen.append(store.state.joined(separator: " "))
            store.cancel()
        }
        expect(ended)
        expectEqual(seen.all, ["inner settled"])
    }

    @Test("A sender that still waits when the store ends is resumed, after others were")
    func stillWaiting() async {
        let ended = await endsInTask { [seen] in
            let (store, live) = (scriptStore(), (0..<2).map { _ in PassthroughSubject<String, Never>() })
            async let first = store.send(.stream("first") { live[0].eraseToAnyPublisher() })
            async let second = store.send(.stream("second") { live[1].eraseToAnyPublisher() })
            async let end: Void = store.finished()
            try? await until { store.inFlight.count == 2 }
            live[0].send(completion: .finished)
            seen.append(await first.word)
            store.cancel()
            seen.append(await second.word)
            await end
        }
        expect(ended)
        expectEqual(seen.all, ["settled", "interrupted: the loop has ended"])
    }

    @Test("A store that drains ends when the work in flight has ended, and then refuses events")
    func draining() async {
        let ended = await endsInTask { [seen] in
            let (store, live) = (scriptStore(), PassthroughSubject<String, Never>())
            store.post(.stream("live") { live.eraseToAnyPublisher() })
            async let left = store.drain(within: nil)
            try? await until { store.post(.words([])).word == "draining" }
            live.send("a")
            live.send(completion: .finished)
            seen.append("\(await left.count)")
            await store.finished()
            seen.append(await store.send(.words(["b"])).word)
        }
        expect(ended)
        expectEqual(seen.all, ["0", "ended"])
    }

    @Test("Jobs of each policy end, and are released")
    func jobs() {
        let ended = ends { [seen] in
            for policy in [JobPolicy.latest, .ignoreNew, .queue, .merge] {
                let (store, live) = (scriptStore(), PassthroughSubject<String, Never>())
                for number in 0..<12 {
                    store.post(.stream("\(number)") { live.job(number % 3, policy).eraseToAnyPublisher() })
                }
                for id in 0..<2 { store.cancelJob(id) }
                live.send("a")
                live.send(completion: .finished)
                seen.append("\(store.state.count), \(store.jobs.count)")
                store.cancel()
            }
        }
        expect(ended)
        expectEqual(seen.all, ["1, 0", "1, 0", "1, 0", "4, 0"])
    }

    @Test("Rules fire once for each of their events")
    func rules() {
        let ended = ends { [seen] in
            let rules: [Rule.Complete<[String], ScriptEvent>] = [
                Rule("first").when(.becoming { (state: [String]) in state.count == 1 })
                    .thenAll { _ in [.words(["b"]), .words(["c"])] },
                Rule("nothing").when(.becoming { (state: [String]) in state.count == 2 }).thenAll { _ in [] },
                Rule("third").when(.becoming { (state: [String]) in state.count == 3 }).then { _ in .words(["d"]) },
            ]
            for hasJournal in [false, true] {
                let store = scriptStore(hasJournal: hasJournal) { [Rule.events(of: rules, from: $0)] }
                store.post(.words(["a"]))
                seen.append(store.state.joined())
                store.cancel()
            }
        }
        expect(ended)
        expectEqual(seen.all, ["abcd", "abcd"])
    }

    @Test("Removed children end their work in flight, and the remaining ones continue")
    func leaving() {
        let ended = ends { [seen] in
            let notes = PassthroughSubject<String, Never>()
            let store = Store(
                reducer: tableOfList, initialState: tableOfLamps(4),
                environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
            for id in 0..<4 { for event in [Lamp.Event.load, .load] { store.post(.row(id, event)) } }
            for id in [2, 0] { store.post(.remove(id)) }
            seen.append("\(store.inFlight.count)")
            notes.send(completion: .finished)
            seen.append("\(store.inFlight.count)")
            store.cancel()
        }
        expect(ended)
        expectEqual(seen.all, ["4", "0"])
    }

    @Test(
        "Any number of children can be found, moved and removed, and lists with equal children are equal",
        arguments: [1, 2, 3, 10, 40])
    func children(count: Int) {
        let ended = ends { [seen] in
            var (list, other) = (IdentifiedList<Int, Int>(), IdentifiedList<Int, Int>())
            for number in 0..<count {
                let id = number * 7 % count == 0 ? number : number * 7 % count
                if list[id: number] == nil { list.append(id, id: number) }
                other.append(id, id: number)
            }
            for id in 0..<count { list.move(id: id, to: 0) }
            for id in (0..<count).reversed() { list.move(id: id, to: 0) }
            seen.append("\(list == other)")
            for id in stride(from: 0, to: count, by: 2) { list.remove(id: id) }
            seen.append("\(list.ids.elementsEqual(stride(from: 1, to: count, by: 2)))")
        }
        expect(ended)
        expectEqual(seen.all, ["true", "true"])
    }

    @Test("A child among many is changed in place, even while an observer subscribes")
    func inPlace() {
        let ended = ends { [seen] in
            let store = Store(reducer: tableOfList, initialState: tableOfLamps(40), environment: Lamp.World())
            let (observers, joins) = (Keeper(), Counter())
            let levels: @Sendable (Table<IdentifiedList<Int, Lamp>>) -> Int = { $0.rows.map(\.level).reduce(0, +) }
            observers.keep(
                store.states.sink { state in
                    seen.append("\(levels(state))")
                    if joins.add() == 2 { elsewhere { observers.keep(store.states.sink { _ in }) } }
                })
            for id in 1...3 { store.post(.row(id, .up(1))) }
            settle()
            observers.drop()
            store.post(.row(4, .up(1)))
            seen.append("\(levels(store.state))")
            store.cancel()
        }
        expect(ended)
        expectEqual(seen.all, ["0", "1", "2", "3", "4"])
    }

    @Test("Values that contain the same parts repeatedly are described and compared up to a limit")
    func described() {
        @Sendable func doubled(_ leaf: Int) -> [Any] { (0..<40).reduce([leaf]) { list, _ in [list, list] } }
        let ended = ends { [seen] in
            let journal = Recorder<Int>()
            let store = scriptStore(
                ScriptOptions(journal: { record in
                    journal.append("\(record)".count)
                    guard Budget.isExhaustive || record.number == 1 else { return }
                    seen.append("\(StateChange.between(doubled(1), doubled(2)).last?.isCut ?? false)")
                }))
            store.post(.words(["a"]))
            store.cancel()
        }
        expect(ended)
        expect(seen.all.contains("true"))
    }
}

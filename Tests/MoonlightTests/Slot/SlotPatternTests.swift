import MoonlightTestSupport
import Streams
import Testing

@testable import LoopValues
@testable import Moonlight

@Suite("UniFlow's mutations as patterns over a slot")
struct SlotPatternTests {
    private typealias Found<Match> = RulePattern<Files, Match>

    private static func progress(_ percent: Double) -> FileDownloading { .inProgress(.init(percent: percent)) }

    /// Each kind of change, by its name.
    private static let changes: [(name: String, change: Transition<Files>)] = {
        func change(
            _ name: String, _ before: Slot<FileDownloading>?, _ verb: (inout Slot<FileDownloading>) throws -> Void
        ) -> (
            String, Transition<Files>
        ) {
            var after = before ?? Slot()
            try? verb(&after)
            return (name, Transition(before: before.map { Files(download: $0) }, after: Files(download: after)))
        }
        let running = Slot(progress(1))
        return [
            change("nothing", running) { _ in },
            change("first absent", nil) { _ in },
            change("first present", nil) { try $0.initialize(.starting) },
            change("init starting", Slot()) { try $0.initialize(.starting) },
            change("init running", Slot()) { try $0.initialize(progress(0)) },
            change("act running", running) { try $0.actualize(.inProgress) { $0.percent = 2 } },
            change("starting to running", Slot(FileDownloading.starting)) {
                try $0.transition(from: .starting, into: progress(0))
            },
            change("running to completed", running) { try $0.transition(into: .completed) },
            change("running to running", running) { try $0.transition(into: progress(3), reentering: true) },
            change("deinit running", running) { try $0.deinitialize() },
            change("deinit completed", Slot(FileDownloading.completed)) { try $0.deinitialize() },
            change("anew", running) {
                try $0.deinitialize()
                try $0.initialize(progress(1))
            },
        ]
    }()

    /// The changes that a pattern matches.
    private func matched<Match>(_ pattern: RulePattern<Files, Match>) -> [String] {
        let rule = Rule("r").when(pattern).then { _ in 1 }
        return Self.changes.filter { change in
            let subject = CurrentValueSubject<Files?, Never>(change.change.before)
            var count = 0
            let states = subject.compactMap { $0 }.eraseToAnyPublisher()
            // The changes of the first state are only considered if it is the only one.
            let subscription = Rule.events(of: [rule], from: states).sink { count += $0 }
            if change.change.before != nil { count = 0 }
            subject.send(change.change.after)
            withExtendedLifetime(subscription) {}
            return count > 0
        }.map(\.name)
    }

    @Test("`initialized` matches like UniFlow's Initialization<F> and InitializationInto<S>")
    func initialized() {
        expectEqual(matched(.initialized(\.download)), ["first present", "init starting", "init running", "anew"])
        expectEqual(matched(.initialized(\.download, into: .inProgress)), ["init running", "anew"])
        expectEqual(matched(.initialized(\.download, into: .starting)), ["first present", "init starting"])
    }

    @Test("`actualized` matches like UniFlow's Actualization<F> and ActualizationIn<S>")
    func actualized() {
        expectEqual(matched(.actualized(\.download)), ["act running"])
        expectEqual(matched(.actualized(\.download, in: .inProgress)), ["act running"])
        expectEqual(matched(.actualized(\.download, in: .starting)), [])
    }

    @Test(
        "`transitioned` matches like UniFlow's Transition<F> and its From<S>, Into<S> and Between<A, B>"
    )
    func transitioned() {
        expectEqual(
            matched(.transitioned(\.download)), ["starting to running", "running to completed", "running to running"])
        expectEqual(
            matched(.transitioned(\.download, from: .inProgress, into: .identity)),
            ["running to completed", "running to running"])
        expectEqual(
            matched(.transitioned(\.download, into: .inProgress)), ["starting to running", "running to running"])
        expectEqual(
            matched(.transitioned(\.download, from: .starting, into: .inProgress)), ["starting to running"])
    }

    @Test("`deinitialized` matches like UniFlow's Deinitialization<F> and DeinitializationFrom<S>")
    func deinitialized() {
        expectEqual(matched(.deinitialized(\.download)), ["deinit running", "deinit completed", "anew"])
        expectEqual(matched(.deinitialized(\.download, from: .completed)), ["deinit completed"])
    }

    @Test("`appearing` over a state of the feature matches like UniFlow's SettingInto<S>, except for an equal value")
    func settings() {
        expectEqual(
            matched(.appearing { $0.download[.inProgress] }),
            ["init running", "act running", "starting to running", "running to running"])
    }

    @Test("`changing` over the slot matches like UniFlow's AnyMutationOf<F>, and `any` like AnyMutation")
    func mutations() {
        let others: Set<String> = ["nothing", "first absent", "first present"]
        expectEqual(matched(.changing(\.download)), Self.changes.map(\.name).filter { !others.contains($0) })
        expectEqual(matched(.any).count, Self.changes.count)
    }

    private static let rules = [
        Rule("began").when(.initialized(\Files.download)).then { _ in "initialized" },
        Rule("changed").when(.actualized(\Files.download)).then { _ in "actualized" },
        Rule("entered").when(.transitioned(\Files.download)).then { _ in "transitioned" },
        Rule("ended").when(.deinitialized(\Files.download)).then { _ in "deinitialized" },
    ]

    @Test("A feature that ends and begins again in one change matches both patterns")
    func both() {
        let names = Recorder<String>()
        let states = [Files(download: Slot(.completed)), Self.changes[11].change.after].publisher
        let subscription = Rule.events(of: Self.rules, from: states.eraseToAnyPublisher()).sink { names.append($0) }
        expectEqual(names.all, ["initialized", "initialized", "deinitialized"])
        subscription.cancel()
    }

    @Test("Rules match a feature that reenters its state with an equal value")
    func sameValue() {
        let names = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) in
                    names.append(event)
                    return Just(event).eraseToAnyPublisher()
                },
                apply: { (files: inout Files, event: String) in
                    switch event {
                    case "again": try? files.download.transition(into: Self.progress(1), reentering: true)
                    case "restart":
                        _ = try? files.download.deinitialize()
                        try? files.download.initialize(Self.progress(1))
                    case "advance": try? files.download.actualize(.inProgress) { $0.percent += 1 }
                    default: break
                    }
                }),
            initialState: Files(download: Slot(Self.progress(1))), environment: (),
            feedback: { [Rule.events(of: Self.rules, from: $0)] })
        for event in ["again", "restart", "advance"] { store.send(event) }
        expectEqual(
            names.all,
            [
                "initialized", "again", "transitioned", "restart", "initialized", "deinitialized", "advance", "actualized",
            ])
        store.cancel()
    }

    @Test("A slot that reached a state by verbs equals one that was created in it")
    func equalByVerbs() throws {
        var slot = Slot<FileDownloading>()
        try slot.initialize(.starting)
        try slot.transition(from: .starting, into: Self.progress(1))
        try slot.actualize(.inProgress) { $0.percent = 2 }
        expectEqual(slot, Slot(Self.progress(2)))
    }

    @Test("Equal slots have the same changes from and to any other slot")
    func substitution() throws {
        var slots = [Slot<FileDownloading>()]
        // All slots that up to four moves lead to.
        for _ in 0..<4 {
            for slot in slots {
                let states = [nil, .starting, Self.progress(1), Self.progress(2)] as [FileDownloading?]
                for state in states {
                    var set = slot
                    set.state = state
                    var entered = slot
                    if let state, slot.isPresent { try entered.transition(into: state, reentering: true) }
                    slots += [set, entered].filter { new in
                        !slots.contains { $0.state == new.state && $0.endings == new.endings && $0.entries == new.entries }
                    }
                }
            }
        }
        for one in slots {
            for other in slots where one == other {
                for third in slots {
                    expectEqual(SlotChange.between(one, third), SlotChange.between(other, third))
                    expectEqual(SlotChange.between(third, one), SlotChange.between(third, other))
                }
            }
        }
    }
}

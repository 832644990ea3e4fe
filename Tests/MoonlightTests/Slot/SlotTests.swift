import Moonlight
import Testing

@Suite("UniFlow's actions as verbs of a slot")
struct SlotTests {
    private let absent = Slot<FileDownloading>()
    private let starting = Slot(FileDownloading.starting)
    private let inProgress = Slot(FileDownloading.inProgress(.init(percent: 10)))
    private let completed = Slot(FileDownloading.completed)

    /// Does something that must be refused, and leave the slot as it was.
    private func refused(
        _ slot: Slot<FileDownloading>, expected: String, actual: String,
        _ verb: (inout Slot<FileDownloading>) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var changed = slot
        do {
            try verb(&changed)
            Issue.record("not refused", sourceLocation: sourceLocation)
        } catch let rejection as Rejection {
            let kind = Rejection.Kind.brokenGuard(feature: "FileDownloading", expected: expected, actual: actual)
            #expect(rejection.kind == kind, sourceLocation: sourceLocation)
            #expect(
                rejection.reason == "FileDownloading: expected \(expected), was \(actual)",
                sourceLocation: sourceLocation)
            #expect(rejection.file.hasSuffix("SlotTests.swift"), sourceLocation: sourceLocation)
            // The verb stands on this line or the next.
            #expect((0...1).contains(rejection.line - sourceLocation.line), sourceLocation: sourceLocation)
        } catch {
            Issue.record("refused by \(error)", sourceLocation: sourceLocation)
        }
        #expect(changed == slot, sourceLocation: sourceLocation)
    }

    @Test("initialize.Into<S>.automatically: only if the feature is absent")
    func initialize() throws {
        var slot = absent
        try slot.initialize(.starting)
        #expect(slot == starting)
        refused(starting, expected: "absent", actual: "starting") { try $0.initialize(.starting) }
        refused(inProgress, expected: "absent", actual: "inProgress") { try $0.initialize(.completed) }
    }

    @Test("initialize.Into<S>.via: into a state with parameters")
    func initializeVia() throws {
        var slot = absent
        try slot.initialize(.inProgress(.init(percent: 10)))
        #expect(slot == inProgress)
    }

    @Test("the state set to nil and then to another is an end and a new beginning; set from case to case, a transition")
    func assigned() {
        var slot = inProgress
        slot.state = nil
        #expect(SlotChange.between(inProgress, slot) == [.deinitialized(.inProgress(.init(percent: 10)))])
        slot.state = .starting
        #expect(
            SlotChange.between(inProgress, slot)
                == [.deinitialized(.inProgress(.init(percent: 10))), .initialized(.starting)])
        let before = slot
        slot.state = .starting
        #expect(SlotChange.between(before, slot) == [])
        slot.state = .inProgress(.init(percent: 1))
        #expect(SlotChange.between(before, slot) == [.transitioned(from: .starting, to: .inProgress(.init(percent: 1)))])
        let running = slot
        slot.state = .inProgress(.init(percent: 2))
        #expect(
            SlotChange.between(running, slot)
                == [.actualized(from: .inProgress(.init(percent: 1)), to: .inProgress(.init(percent: 2)))])
        slot.state = nil
        let gone = slot
        slot.state = nil
        #expect(SlotChange.between(gone, slot) == [])
    }

    @Test("a feature that is set has not reentered its new state yet, however often it had the one before")
    func setAfterReentering() throws {
        for next in [FileDownloading.starting, .completed] {
            for endsBetween in [false, true] {
                var (reentered, plain) = (starting, starting)
                try reentered.transition(into: .starting, same: .allowed)
                #expect(reentered != plain)
                if endsBetween { (reentered.state, plain.state) = (nil, nil) }
                (reentered.state, plain.state) = (next, next)
                let stays = !endsBetween && next == .starting
                #expect((reentered == plain) == !stays)
            }
        }
    }

    @Test("a slot is described by its state, or as absent")
    func described() {
        #expect("\(absent)" == "absent")
        #expect("\(Slot(7))" == "7")
        #expect(Mirror(reflecting: absent).children.isEmpty)
        #expect(Mirror(reflecting: Slot(7)).children.map { "\($0.label ?? "") \($0.value)" } == ["state 7"])
    }

    @Test("the hash is of the state, and not of how often the feature was left or reentered")
    func hashed() throws {
        #expect(Set((0..<100).map { Slot($0).hashValue }).count > 50)
        var slot = Slot(7)
        try slot.transition(into: 7, same: .allowed)
        #expect(slot != Slot(7))
        #expect(slot.hashValue == Slot(7).hashValue)
    }

    @Test("actualize.In<S>.via: only in the state")
    func actualize() throws {
        var slot = inProgress
        try slot.actualize(.inProgress) { $0.percent += 5 }
        #expect(slot.state == .inProgress(.init(percent: 15)))
        try slot.actualize(.inProgress, to: .init(percent: 20))
        #expect(slot[.inProgress]?.percent == 20)
        refused(starting, expected: "inProgress", actual: "starting") {
            try $0.actualize(.inProgress) { $0.percent = 0 }
        }
        refused(absent, expected: "inProgress", actual: "absent") {
            try $0.actualize(.inProgress, to: .init(percent: 0))
        }
    }

    @Test("actualize in whatever state: it stays that state")
    func actualizeAny() throws {
        var slot = inProgress
        try slot.actualize { $0 = .inProgress(.init(percent: 30)) }
        #expect(slot[.inProgress]?.percent == 30)
        refused(inProgress, expected: "completed", actual: "inProgress") { try $0.actualize { $0 = .completed } }
        refused(absent, expected: "present", actual: "absent") { try $0.actualize { _ in } }
        struct Count: Equatable { var number = 0 }
        var count = Slot(Count())
        try count.actualize { $0.number = 4 }
        #expect(count.state == Count(number: 4))
    }

    @Test("actualize: what the change throws leaves the feature alone")
    func actualizeThrowing() {
        struct Nothing: Error {}
        var slot = inProgress
        #expect(throws: Nothing.self) {
            try slot.actualize(.inProgress) { progress in
                progress.percent = 99
                throw Nothing()
            }
        }
        #expect(slot == inProgress)
    }

    @Test("transition.Between<A, B>.automatically: only from A")
    func between() throws {
        var slot = starting
        try slot.transition(from: .starting, into: .completed)
        #expect(slot == completed)
        refused(inProgress, expected: "starting", actual: "inProgress") {
            try $0.transition(from: .starting, into: .completed)
        }
        refused(absent, expected: "starting", actual: "absent") {
            try $0.transition(from: .starting, into: .completed)
        }
    }

    @Test("transition.Between<A, B>.via: made of what A was")
    func betweenVia() throws {
        var slot = inProgress
        try slot.transition(from: .inProgress) { .inProgress(.init(percent: $0.percent * 2)) }
        #expect(slot[.inProgress]?.percent == 20)
        refused(completed, expected: "inProgress", actual: "completed") {
            try $0.transition(from: .inProgress) { _ in .completed }
        }
    }

    @Test("transition.From<A>.into(newState): only from A, into a given state")
    func from() throws {
        var slot = inProgress
        let next = FileDownloading.completed
        try slot.transition(from: .inProgress, into: next)
        #expect(slot == completed)
    }

    @Test("transition.Into<S>.automatically(same: .no): from any state but the same")
    func intoOther() throws {
        var slot = inProgress
        try slot.transition(into: .completed, same: .rejected)
        #expect(slot == completed)
        refused(completed, expected: "any state but completed", actual: "completed") {
            try $0.transition(into: .completed)
        }
        refused(inProgress, expected: "any state but inProgress", actual: "inProgress") {
            try $0.transition(into: .inProgress(.init(percent: 99)))
        }
        refused(absent, expected: "present", actual: "absent") { try $0.transition(into: .completed) }
    }

    @Test("transition.Into<S>.via(same: .yes): from any state, also the same")
    func intoSame() throws {
        var slot = inProgress
        try slot.transition(into: .inProgress(.init(percent: 0)), same: .allowed)
        #expect(slot[.inProgress]?.percent == 0)
        refused(absent, expected: "present", actual: "absent") { try $0.transition(into: .completed, same: .allowed) }
    }

    @Test("deinitialize.automatically: only if the feature is there")
    func deinitialize() throws {
        var slot = inProgress
        let last = try slot.deinitialize()
        #expect(last == .inProgress(.init(percent: 10)))
        #expect(slot == absent)
        refused(absent, expected: "present", actual: "absent") { try $0.deinitialize() }
    }

    @Test("deinitialize.From<S>.automatically: only from S")
    func deinitializeFrom() throws {
        var slot = completed
        try slot.deinitialize(from: .completed)
        #expect(slot == absent)
        refused(inProgress, expected: "completed", actual: "inProgress") {
            try $0.deinitialize(from: .completed)
        }
    }

    @Test("trigger.Uninitialized: only if the feature is absent, and nothing changes")
    func triggerAbsent() throws {
        try absent.requireAbsent()
        refused(starting, expected: "absent", actual: "starting") { try $0.requireAbsent() }
    }

    @Test("trigger.Initialized: in any state, and nothing changes")
    func triggerPresent() throws {
        #expect(try starting.require() == .starting)
        refused(absent, expected: "present", actual: "absent") { try $0.require() }
    }

    @Test("trigger.In<S>: only in S, and nothing changes")
    func triggerIn() throws {
        #expect(try inProgress.require(.inProgress).percent == 10)
        refused(starting, expected: "inProgress", actual: "starting") { try $0.require(.inProgress) }
    }

    @Test("ensureIsSet: something that the state has or has not")
    func ensureIsSet() throws {
        #expect(
            try inProgress.require("a progress") {
                if case .inProgress(let progress) = $0 { progress.percent } else { nil }
            } == 10)
        refused(starting, expected: "a progress", actual: "starting") {
            _ = try $0.require("a progress") { if case .inProgress(let progress) = $0 { progress } else { nil } }
        }
    }

    @Test("In transform, what the verbs would lead to can be had without changing anything")
    func after() throws {
        let next = try absent.after { slot in
            try slot.initialize(.starting)
            try slot.transition(from: .starting, into: .completed)
        }
        #expect(next == completed)
        #expect(absent == Slot())
        #expect(throws: Rejection.self) { try starting.after { try $0.initialize(.starting) } }
    }
}

import MoonlightTestSupport
import Testing

@testable import LoopValues
@testable import Moonlight

@Suite("UniFlow's actions as verbs of a slot")
struct SlotTests {
    private let absent = Slot<FileDownloading>()
    private let starting = Slot(FileDownloading.starting)
    private let inProgress = Slot(FileDownloading.inProgress(.init(percent: 10)))
    private let completed = Slot(FileDownloading.completed)

    /// Runs a verb that must be refused and leave the slot unchanged.
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
            expectEqual(
                rejection.reason, "FileDownloading: expected \(expected), was \(actual)",
                sourceLocation: sourceLocation)
            expect(rejection.file.hasSuffix("SlotTests.swift"), sourceLocation: sourceLocation)
            // The verb is on this line or the next.
            expect((0...1).contains(rejection.line - sourceLocation.line), sourceLocation: sourceLocation)
        } catch {
            Issue.record("refused by \(error)", sourceLocation: sourceLocation)
        }
        expectEqual(changed, slot, sourceLocation: sourceLocation)
    }

    @Test("`initialize` enters a state if the feature is absent, and is refused otherwise (initialize.Into<S>.automatically)")
    func initialize() throws {
        var slot = absent
        try slot.initialize(.starting)
        expectEqual(slot, starting)
        refused(starting, expected: "absent", actual: "starting") { try $0.initialize(.starting) }
        refused(inProgress, expected: "absent", actual: "inProgress") { try $0.initialize(.completed) }
    }

    @Test("`initialize` enters a state with parameters (initialize.Into<S>.via)")
    func initializeVia() throws {
        var slot = absent
        try slot.initialize(.inProgress(.init(percent: 10)))
        expectEqual(slot, inProgress)
    }

    @Test("Setting the state ends, begins, transitions or actualizes the feature, according to the states before and after")
    func assigned() {
        var slot: Slot<FileDownloading> = inProgress
        slot.state = nil
        let end = SlotChange(verb: .deinitialized, before: progress(10))
        expectEqual(SlotChange.between(inProgress, slot), [end])
        slot.state = .starting
        let beginning = SlotChange(verb: .initialized, after: FileDownloading.starting)
        expectEqual(SlotChange.between(inProgress, slot), [end, beginning])
        let before: Slot<FileDownloading> = slot
        slot.state = .starting
        expectEqual(SlotChange.between(before, slot), [])
        slot.state = progress(1)
        let step = SlotChange(verb: .transitioned, before: .starting, after: progress(1))
        expectEqual(SlotChange.between(before, slot), [step])
        let running: Slot<FileDownloading> = slot
        slot.state = progress(2)
        let advance = SlotChange(verb: .actualized, before: progress(1), after: progress(2))
        expectEqual(SlotChange.between(running, slot), [advance])
        slot.state = nil
        let gone: Slot<FileDownloading> = slot
        slot.state = nil
        expectEqual(SlotChange.between(gone, slot), [])
    }

    private func progress(_ percent: Double) -> FileDownloading { .inProgress(.init(percent: percent)) }

    @Test("A feature that is set to a new state equals one that had not reentered the previous state")
    func setAfterReentering() throws {
        for next in [FileDownloading.starting, .completed] {
            for endsBetween in [false, true] {
                var (reentered, plain) = (starting, starting)
                try reentered.transition(into: .starting, reentering: true)
                expect(reentered != plain)
                if endsBetween { (reentered.state, plain.state) = (nil, nil) }
                (reentered.state, plain.state) = (next, next)
                let stays = !endsBetween && next == .starting
                expect((reentered == plain) == !stays)
            }
        }
    }

    @Test("A slot is described by its state, or as \"absent\"")
    func described() {
        expectEqual("\(absent)", "absent")
        expectEqual("\(Slot(7))", "7")
        expect(Mirror(reflecting: absent).children.isEmpty)
        expectEqual(Mirror(reflecting: Slot(7)).children.map { "\($0.label ?? "") \($0.value)" }, ["state 7"])
    }

    @Test("The hash of a slot depends on its state, and not on how often the feature was reentered")
    func hashed() throws {
        expect(Set((0..<100).map { Slot($0).hashValue }).count > 50)
        var slot = Slot(7)
        try slot.transition(into: 7, reentering: true)
        expect(slot != Slot(7))
        expectEqual(slot.hashValue, Slot(7).hashValue)
    }

    @Test("`actualize` changes the value of a state, and is refused in another (actualize.In<S>.via)")
    func actualize() throws {
        var slot = inProgress
        try slot.actualize(.inProgress) { $0.percent += 5 }
        expectEqual(slot.state, .inProgress(.init(percent: 15)))
        try slot.actualize(.inProgress, to: .init(percent: 20))
        expectEqual(slot[.inProgress]?.percent, 20)
        refused(starting, expected: "inProgress", actual: "starting") {
            try $0.actualize(.inProgress) { $0.percent = 0 }
        }
        refused(absent, expected: "inProgress", actual: "absent") {
            try $0.actualize(.inProgress, to: .init(percent: 0))
        }
    }

    @Test("`actualize` without a case changes the value of any state, and is refused if the case would change")
    func actualizeAny() throws {
        var slot = inProgress
        try slot.actualize { $0 = .inProgress(.init(percent: 30)) }
        expectEqual(slot[.inProgress]?.percent, 30)
        refused(inProgress, expected: "completed", actual: "inProgress") { try $0.actualize { $0 = .completed } }
        refused(absent, expected: "present", actual: "absent") { try $0.actualize { _ in } }
        struct Count: Equatable { var number = 0 }
        var count = Slot(Count())
        try count.actualize { $0.number = 4 }
        expectEqual(count.state, Count(number: 4))
    }

    @Test("`actualize` does not change the feature if its closure throws")
    func actualizeThrowing() {
        struct Nothing: Error {}
        var slot = inProgress
        #expect(throws: Nothing.self) {
            try slot.actualize(.inProgress) { progress in
                progress.percent = 99
                throw Nothing()
            }
        }
        expectEqual(slot, inProgress)
    }

    @Test("`transition` from A into B is refused in another state than A (transition.Between<A, B>.automatically)")
    func between() throws {
        var slot = starting
        try slot.transition(from: .starting, into: .completed)
        expectEqual(slot, completed)
        refused(inProgress, expected: "starting", actual: "inProgress") {
            try $0.transition(from: .starting, into: .completed)
        }
        refused(absent, expected: "starting", actual: "absent") {
            try $0.transition(from: .starting, into: .completed)
        }
    }

    @Test("`transition` can create the new state from the value of the old one (transition.Between<A, B>.via)")
    func betweenVia() throws {
        var slot = inProgress
        try slot.transition(from: .inProgress) { .inProgress(.init(percent: $0.percent * 2)) }
        expectEqual(slot[.inProgress]?.percent, 20)
        refused(completed, expected: "inProgress", actual: "completed") {
            try $0.transition(from: .inProgress) { _ in .completed }
        }
    }

    @Test("`transition` goes from A into a given state (transition.From<A>.into(newState))")
    func from() throws {
        var slot = inProgress
        let next = FileDownloading.completed
        try slot.transition(from: .inProgress, into: next)
        expectEqual(slot, completed)
    }

    @Test("`transition` without a source goes from any state but the same (transition.Into<S>.automatically(same: .no))")
    func intoOther() throws {
        var slot = inProgress
        try slot.transition(into: .completed, reentering: false)
        expectEqual(slot, completed)
        refused(completed, expected: "any state but completed", actual: "completed") {
            try $0.transition(into: .completed)
        }
        refused(inProgress, expected: "any state but inProgress", actual: "inProgress") {
            try $0.transition(into: .inProgress(.init(percent: 99)))
        }
        refused(absent, expected: "present", actual: "absent") { try $0.transition(into: .completed) }
    }

    @Test("`transition` with same states allowed goes from any state (transition.Into<S>.via(same: .yes))")
    func intoSame() throws {
        var slot = inProgress
        try slot.transition(into: .inProgress(.init(percent: 0)), reentering: true)
        expectEqual(slot[.inProgress]?.percent, 0)
        refused(absent, expected: "present", actual: "absent") { try $0.transition(into: .completed, reentering: true) }
    }

    @Test("`deinitialize` returns the last state, and is refused if the feature is absent (deinitialize.automatically)")
    func deinitialize() throws {
        var slot = inProgress
        let last = try slot.deinitialize()
        expectEqual(last, .inProgress(.init(percent: 10)))
        expectEqual(slot, absent)
        refused(absent, expected: "present", actual: "absent") { try $0.deinitialize() }
    }

    @Test("`deinitialize` from S is refused in another state (deinitialize.From<S>.automatically)")
    func deinitializeFrom() throws {
        var slot = completed
        try slot.deinitialize(from: .completed)
        expectEqual(slot, absent)
        refused(inProgress, expected: "completed", actual: "inProgress") {
            try $0.deinitialize(from: .completed)
        }
    }

    @Test("`requireAbsent` is refused if the feature is present (trigger.Uninitialized)")
    func triggerAbsent() throws {
        try absent.requireAbsent()
        refused(starting, expected: "absent", actual: "starting") { try $0.requireAbsent() }
    }

    @Test("`require` returns the state, and is refused if the feature is absent (trigger.Initialized)")
    func triggerPresent() throws {
        try expectEqual(starting.require(), .starting)
        refused(absent, expected: "present", actual: "absent") { try $0.require() }
    }

    @Test("`require` with a case returns its value, and is refused in another state (trigger.In<S>)")
    func triggerIn() throws {
        try expectEqual(inProgress.require(.inProgress).percent, 10)
        refused(starting, expected: "inProgress", actual: "starting") { try $0.require(.inProgress) }
    }

    @Test(
        "`require` with a closure returns the closure's result for the state, and is refused if that is nil (ensureIsSet)")
    func ensureIsSet() throws {
        try expectEqual(
            inProgress.require("a progress") {
                if case .inProgress(let progress) = $0 { progress.percent } else { nil }
            }, 10)
        refused(starting, expected: "a progress", actual: "starting") {
            _ = try $0.require("a progress") { if case .inProgress(let progress) = $0 { progress } else { nil } }
        }
    }

    @Test("`after` returns the slot that the verbs produce, without changing the slot itself")
    func after() throws {
        let next = try absent.after { slot in
            try slot.initialize(.starting)
            try slot.transition(from: .starting, into: .completed)
        }
        expectEqual(next, completed)
        expectEqual(absent, Slot())
        #expect(throws: Rejection.self) { try starting.after { try $0.initialize(.starting) } }
    }
}

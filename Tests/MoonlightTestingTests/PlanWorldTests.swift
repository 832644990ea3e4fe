import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightTesting

/// Tests of the world in which a plan runs.
struct PlanWorldTests {
    @Test("An event that is sent after the loop has ended fails the plan")
    func ended() throws {
        let plan = counterPlan()
        try plan.run()
        let world = PlanWorld(plan.blueprint)
        world.store.cancel()
        let fault = #expect(throws: PlanFault.self) { _ = try world.send(.plus) }
        expectEqual(fault?.message, "plus was not accepted: the loop has ended")
    }

    @Test("Pending jobs of tasks are run in one turn")
    func executor() {
        let time = VirtualTimeScheduler()
        let executor = ManualExecutor(time)
        let ran = Recorder<Int>()
        for number in 1...3 { Task(executorPreference: executor) { ran.append(number) } }
        expectEqual(time.pending, 1)
        time.advance(by: 0)
        expectEqual(ran.values, [1, 2, 3])
        expectEqual(time.pending, 0)
        Task(executorPreference: executor) { ran.append(4) }
        time.advance(by: 0)
        expectEqual(ran.values, [1, 2, 3, 4])
    }

    @Test("A child that is numbered because it has no name is found without the number, with any id")
    func numberedChild() {
        let lamp = ScopePath.Element("Lamp#3", id: AnyID("a#7"))
        let work = WorkInFlight(path: ScopePath([lamp]), name: "Lamp#3[a#7]/load", localName: "load")
        expectEqual(work.name(in: ["Lamp#[a#7]"]), "load")
        expect(work.name(in: ["Lamp#[a#]"]) == nil)
    }
}

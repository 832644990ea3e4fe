import Moonlight
import MoonlightDurability
import MoonlightRecordingTesting
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: a member of a fleet")
struct FleetRecordingTests {
    @Test("A recording of a member has its events and calls, and none of other members")
    func member() async throws {
        let recording = Recording(of: desk)
        let rest = DeskWorld(
            find: { (text: String) async throws(Reason) -> [String] in [text] }, prices: { _ in Empty().eraseToAnyPublisher() },
            now: { 7 }, scheduler: ClockScheduler(ContinuousClock()).eraseToAnyScheduler())
        let fleet = Fleet<Int, Desk, DeskEvent>(
            reducer: desk,
            environment: { id in
                var world = rest
                if id == 1 { (world.find, world.now) = (recording.async("find", rest.find), recording.function("now", rest.now)) }
                return world
            },
            options: { $0 == 1 ? LoopOptions(journal: recording) : LoopOptions() },
            initialState: { _ in Desk() })
        for id in [2, 1, 3] {
            for event in [DeskEvent.typed("of \(id)"), .search, .stamp] { try await fleet.send(event, to: id) }
        }
        await fleet.drain(within: nil)
        let steps = try recording.steps()
        expectEqual(steps.filter { $0.kind == .call }.map(\.text), ["find(\"of 1\")"])
        expectEqual(steps.filter { $0.kind == .result }.map(\.text), ["now() is 7"])
        expectEqual(steps.filter { $0.kind == .event }.map(\.text), ["typed(\"of 1\")", "search", "stamp"])
        expect(steps.filter { $0.kind == .call || $0.kind == .result }.allSatisfy { !$0.isFromOutside })
        try expect(recording.firstDifference(from: desk, environment: deskWorld) == nil)
    }
}

import Foundation
import MoonPresentation
import MoonlightRecording
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightInspector

@Suite("Inspector: a file that grows")
struct FollowingTests {
    private let recorder = shortDay()

    private func bench() throws -> Bench { try Bench(recorder.steps, isFollowing: true) }

    @Test("The selection at the end follows new steps")
    func follows() throws {
        let bench = try bench()
        let before = recorder.steps.count
        expect(bench.state.selected == before && bench.shows("following"))
        recorder.send(.order("tea"))
        bench.tell(.grown(recorder.steps))
        expect(recorder.steps.count > before && bench.state.selected == recorder.steps.count)
        expectEqual(bench.state.look?.number, recorder.steps.count)
    }

    @Test("A move ends the following of new steps, and End or F begins it again")
    func stays() throws {
        let bench = try bench()
        bench.press(.up)
        let selected = bench.state.selected
        expect(!bench.state.staysAtEnd)
        recorder.send(.order("tea"))
        bench.tell(.grown(recorder.steps))
        expect(bench.state.selected == selected && bench.state.steps.count == recorder.steps.count)
        for key in [Key.end, "F"] {
            bench.press(key)
            expect(bench.state.selected == recorder.steps.count && bench.state.staysAtEnd)
            // At the end, too, a move shows that the selection is to stay.
            expectEqual(bench.press(.down).state.staysAtEnd, false)
        }
    }

    @Test("A search that is being typed goes on while steps are added")
    func question() throws {
        let bench = try bench()
        bench.press("/").type("mi")
        recorder.send(.look)
        bench.tell(.grown(recorder.steps))
        expect(bench.state.input.text == "mi" && bench.state.selected == recorder.steps.count)
        bench.type("lk").press(.enter)
        expect(bench.state.steps.record(bench.state.selected)?.text.contains("milk") == true && !bench.state.staysAtEnd)
    }

    @Test("Another recording is shown from its nearest step, without a mark that it does not have")
    func anew() throws {
        let bench = try bench()
        bench.press(.up, "m", .up)
        let other = ShopRecorder().send(.order("tea"))
        bench.tell(.anew(other.steps))
        expect(
            bench.state.selected == other.steps.count && bench.state.mark == nil && bench.state.look?.number == other.steps.count)
        expectEqual(bench.state.look?.state?.part("total")?.source, "3")
        bench.press(.home, "m", .down)
        bench.tell(.anew(recorder.steps))
        expect(bench.state.selected == 2 && bench.state.mark == 1 && bench.state.look?.mark == 1)
        bench.tell(.anew(ShopRecorder().steps))
        expect(bench.state.selected == 0 && bench.state.look == nil)
        bench.tell(.grown(other.steps))
        expect(bench.state.selected == 1 && bench.state.look?.number == 1)
    }

    @Test("Trouble with the file is shown below until it is over, and the steps stay")
    func trouble() throws {
        let bench = try bench()
        bench.tell(.trouble("bug.moon: No such file or directory"))
        expect(bench.bottom == "bug.moon: No such file or directory" && bench.state.selected == recorder.steps.count)
        expectEqual(bench.press(.up).bottom, "bug.moon: No such file or directory")
        bench.tell(.grown(recorder.steps))
        expect(bench.bottom.hasPrefix("? help"))
        expect(bench.tell(.trouble("x")).bottom == "x" && bench.tell(.well).bottom.hasPrefix("? help"))
    }

    @Test("The same trouble is reported once, until it is over")
    func once() async throws {
        let (x, y) = (RecordingError.question("x"), RecordingError.question("y"))
        let reader = recorder.recording.reader
        let looks = Looks([
            .failure(x), .failure(x), .failure(y), .success(nil), .success(nil), .failure(y), .success(.grown(reader)),
        ])
        var told = InspectorEnvironment.news(every: .zero) { () async throws(RecordingError) in try looks.next().get() }
            .values.makeAsyncIterator()
        var all: [News?] = []
        for _ in 0..<5 { all.append(await told.next()) }
        expectEqual(all, [.trouble("x"), .trouble("y"), .well, .trouble("y"), .grown(Steps(reader))])
    }

    /// What is found, look by look, and then nothing.
    private final class Looks: Sendable {
        private let rest: Lock<[Result<RecordingFollower.Finding?, RecordingError>]>

        init(_ all: [Result<RecordingFollower.Finding?, RecordingError>]) { rest = Lock(all) }

        func next() -> Result<RecordingFollower.Finding?, RecordingError> {
            rest.withLock { $0.isEmpty ? .success(nil) : $0.removeFirst() }
        }
    }

    @Test("F without --follow goes to the end and says how to follow")
    func without() throws {
        let bench = try Bench(recorder.steps)
        bench.press("F")
        expect(
            bench.state.selected == recorder.steps.count && !bench.state.staysAtEnd && bench.bottom == "--follow follows the file"
        )
        bench.tell(.grown(ShopRecorder().steps))
        expect(bench.state.steps == bench.state.steps && !bench.state.steps.isEmpty)
    }

    @Test("A watched file reports that it is gone once, and what is written anew")
    func live() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "inspect-\(UUID().uuidString).moon").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try recorder.recording.write(to: path)
        let follower = try RecordingFollower(path)
        let environment = InspectorEnvironment.following(follower, every: .zero)
        var told = environment.news().values.makeAsyncIterator()
        try FileManager.default.removeItem(atPath: path)
        await expectEqual(told.next(), .trouble("\(path): No such file or directory"))
        recorder.send(.look)
        try recorder.recording.write(to: path)
        guard case .anew(let steps) = await told.next() else { return expect(Bool(false), "another file is told anew") }
        expectEqual(steps.count, recorder.steps.count)
        try FileManager.default.removeItem(atPath: path)
        await expectEqual(told.next(), .trouble("\(path): No such file or directory"))
    }
}

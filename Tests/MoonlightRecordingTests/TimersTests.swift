import Moonlight
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: replay of delays and retries")
struct TimersTests {
    private typealias LabRecording = Recording<Lab, LabEvent, LabEffect>

    @Test("A retried call can be replayed, and its plan passes", arguments: [false, true])
    func backoff(isSlow: Bool) throws {
        let stage = LabStage(isSlow: isSlow)
        stage.send(.works(Work(number: 1, parts: [.retry(2, milliseconds: 5)])))
        stage.pass(.milliseconds(10)).answer(.failure(.offline)).pass(.milliseconds(7)).answer(.success(3))
        let difference = try stage.recording.firstDifference(from: lab, environment: labWorld)
        expect(difference == nil, "\(difference?.description ?? "")")
        let plan = try stage.recording.planSource(reducer: "lab", environment: "{ labWorld($0) }")
        // Time also advances for the answers; the delay of the retry is essential.
        let steps = plan.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { !$0.hasPrefix(".advance") || $0 == ".advance(by: .milliseconds(5))" }
        expectEqual(
            steps.dropFirst(2).prefix(3).map { String($0) },
            [
                ".fail(fetch(1), with: .offline, number: 1)", ".advance(by: .milliseconds(5))",
                ".resolve(fetch(1), with: 3, number: 2)",
            ])
        try stage.recording.plan(of: lab, environment: labWorld).then(equals: Lab(log: ["gets(1, 3)"]))
            .ignoringCalls().ignoringInFlight().ignoringRelease().run()
        // Each call is caused by the event.
        for call in try stage.recording.steps() where call.kind == .call {
            try expectEqual(stage.recording.causes(of: call.number).map(\.kind), [.event])
        }
        stage.end()
    }

    @Test("A withdrawn timer is a step, and does not hold back time", arguments: [false, true])
    func withdrawn(isSlow: Bool) throws {
        let stage = LabStage(isSlow: isSlow)
        stage.send(.works(Work(number: 1, parts: [.timeout(milliseconds: 10)])))
        stage.pass(.milliseconds(2)).answer(.success(3)).pass(.milliseconds(50))
        stage.send(.works(Work(number: 2, parts: [.delay(milliseconds: 5)]))).answer(.success(4)).pass(.milliseconds(3))
        stage.send(.works(Work(number: 3, parts: [.delay(milliseconds: 5)]))).answer(.success(5)).pass(.milliseconds(9))
        try expect(stage.recording.steps().contains { $0.text.hasSuffix("is withdrawn") })
        try expect(stage.recording.firstDifference(from: lab, environment: labWorld) == nil)
        stage.end()
    }

    @Test(
        "A random program with calls behind retry, delay, debounce and timeout can be replayed, and its plan passes",
        arguments: Budget.seeds(400, least: 40))
    func random(seed: Int) throws {
        let stage = randomLab(seed: seed)
        let read = try LabRecording(bytes: stage.recording.bytes)
        let difference = try read.firstDifference(from: lab, environment: labWorld)
        let steps = try read.steps().map(\.description).joined(separator: "\n")
        expect(difference == nil, "\(difference?.description ?? "")\n\(steps)")
        let last = try #require(read.numbers).upperBound
        try read.plan(of: lab, environment: labWorld).then(equals: read.state(at: last, by: lab))
            .ignoringCalls().ignoringInFlight().ignoringRelease().run()
        stage.end()
    }
}

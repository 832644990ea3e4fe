import Moonlight
import MoonlightRecording
import MoonlightRecordingTesting
import MoonlightTesting

// The block of the page "MoonlightRecordingTesting", line for line. It is only compiled, since it reads a file of the working
// directory: `PlanFilesTests` tests the same calls.

private struct App: Codable, Equatable, Sendable {
    var total = 0
}

private enum AppEvent: Codable, Sendable { case find(String) }

private enum AppEffect: Codable, Sendable { case found(Int) }

private struct World: Sendable {
    var find: @Sendable (String) async throws -> Int
    var now: @Sendable () -> Int
}

private func replay(
    _ app: Reducer<App, AppEvent, AppEffect, World>, find: Stub<String, Int, any Error>, now: Stub<Void, Int, Never>
) throws -> RecordedDifference? {
    let recording = try Recording(of: app, contentsOf: "bug.moon")
    let difference = try recording.firstDifference(from: app) { stubs in
        World(find: stubs.async(find), now: stubs.function(now, returning: { 0 }))
    }
    return difference
}

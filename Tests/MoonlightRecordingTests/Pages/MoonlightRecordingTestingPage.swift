import Moonlight
import MoonlightRecording
import MoonlightRecordingTesting
import MoonlightTesting

// The block of the page "MoonlightRecordingTesting", line for line. It is only compiled, since it reads a file of the working
// directory: `PlanFilesTests` tests the same calls.

private typealias World = RecordedProgram.World
private typealias AppReducer = Reducer<
    RecordedProgram.App, RecordedProgram.AppEvent, RecordedProgram.AppEffect, World
>

private func replay(
    _ app: AppReducer, find: Stub<String, Int, any Error>, now: Stub<Void, Int, Never>
) throws -> RecordedDifference? {
    let recording = try Recording(of: app, contentsOf: "bug.moon")
    let difference = try recording.firstDifference(from: app) { stubs in
        World(find: stubs.async(find), now: stubs.function(now, returning: { 0 }))
    }
    return difference
}

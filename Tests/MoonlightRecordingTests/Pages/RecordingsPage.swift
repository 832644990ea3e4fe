import Moonlight
import MoonlightRecording
import MoonlightRecordingTesting
import MoonlightTesting
import Streams

// The blocks of the page "Recordings", line for line. They are only compiled, since they write a
// file into the working directory: `RecordingTests` and `PlanFilesTests` test the same calls.

/// The program of both pages.
enum RecordedProgram {
    struct App: Codable, Equatable, Sendable {
        var token = ""
        var card = ""
        var total = 0
    }

    enum AppEvent: Codable, Sendable { case find(String) }

    enum AppEffect: Codable, Sendable { case found(Int) }

    struct World: Sendable {
        var find: @Sendable (String) async throws -> Int
        var now: @Sendable () -> Int
    }
}

private typealias App = RecordedProgram.App
private typealias World = RecordedProgram.World
private typealias AppReducer = Reducer<App, RecordedProgram.AppEvent, RecordedProgram.AppEffect, World>

private func record(_ app: AppReducer, live: World) throws {
    let recording = Recording(of: app, keeping: 10_000, redacting: [\.token, \.card])
    let store = Store(
        reducer: app, initialState: App(),
        environment: World(find: recording.async("find", live.find), now: recording.function("now", live.now)),
        options: LoopOptions(journal: recording))

    try recording.write(to: "bug.moon")
    store.cancel()
}

private func inspect(_ app: AppReducer) throws {
    let recording = try Recording(of: app, contentsOf: "bug.moon")
    let state = try recording.state(at: 412, by: app)
    let step = try recording.firstStep(by: app) { $0.total < 0 }
    let causes = try recording.causes(of: 412)
    _ = (state, step, causes)
}

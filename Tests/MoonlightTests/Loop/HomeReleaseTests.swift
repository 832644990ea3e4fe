import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The thread on which a loop that is isolated to an actor releases its values.
@Suite("Release of a loop on an actor")
struct HomeReleaseTests {
    /// Records whether it was released on its actor.
    final class Resident: Sendable {
        private let name: String
        private let notes: Recorder<String>
        private let isHome: @Sendable () -> Bool

        init(_ name: String, _ notes: Recorder<String>, isHome: @escaping @Sendable () -> Bool) {
            self.name = name
            self.notes = notes
            self.isHome = isHome
        }

        deinit { notes.append("\(name) \(isHome() ? "at home" : "elsewhere")") }

        func touch() {}
    }

    /// Not Sendable, so that it must stay on its actor.
    final class Surroundings {
        let resident: Resident

        init(_ resident: Resident) { self.resident = resident }
    }

    struct Held: Equatable {
        let resident: Resident
        static func == (left: Held, right: Held) -> Bool { left.resident === right.resident }
    }

    /// The objects that a cancelled loop retained.
    static let names = ["apply", "effect's stream", "environment", "feedback", "job", "state", "transform"]

    /// Starts a loop on an actor, with a value to release in each part.
    static func start(
        on isolation: isolated any Actor, _ make: @Sendable (String) -> Resident,
        events: PassthroughSubject<Void, Never>, effects: PassthroughSubject<Int, Never>
    ) -> AnyCancellable {
        let (inTransform, inApply, inFeedback) = (make("transform"), make("apply"), make("feedback"))
        let (inStream, inJob) = (make("effect's stream"), make("job"))
        return Moonlight.start(
            initialState: Held(resident: make("state")), environment: Surroundings(make("environment")),
            feedback: { _ in
                events.handleEvents(receiveOutput: { _ in inFeedback.touch() }).eraseToAnyPublisher()
            },
            transform: { _, _, _ in
                inTransform.touch()
                return effects.handleEvents(receiveOutput: { _ in inStream.touch() })
                    .merge(with: Empty(completeImmediately: false).handleEvents(receiveCancel: { inJob.touch() }).job("job"))
                    .eraseToAnyPublisher()
            },
            apply: { (state: Held, _: Int) -> Held in
                inApply.touch()
                return state
            })
    }

    @Test("All objects of a loop on the main actor are released there when another thread cancels it")
    func mainActor() async throws {
        let notes = Recorder<String>()
        let make = { @Sendable (name: String) in Resident(name, notes) { MainPlace.isHere } }
        let (events, effects) = (PassthroughSubject<Void, Never>(), PassthroughSubject<Int, Never>())
        let loop = await Self.start(on: MainActor.shared, make, events: events, effects: effects)
        await MainActor.run { events.send() }
        elsewhere { loop.cancel() }
        try await until { notes.count == Self.names.count }
        expectEqual(notes.all.sorted(), Self.names.map { "\($0) at home" })
    }

    actor Owner {
        let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        func run(_ body: @Sendable () -> Void) { body() }
    }

    @Test("All objects of a loop on a custom actor are released there when another thread cancels it")
    func customActor() async throws {
        let (notes, owner) = (Recorder<String>(), Owner())
        let make = { @Sendable [executor = owner.executor] (name: String) in Resident(name, notes) { executor.isHere } }
        let (events, effects) = (PassthroughSubject<Void, Never>(), PassthroughSubject<Int, Never>())
        let loop = await Self.start(on: owner, make, events: events, effects: effects)
        await owner.run { events.send() }
        await owner.run {}
        elsewhere { loop.cancel() }
        try await until { notes.count == Self.names.count }
        expectEqual(notes.all.sorted(), Self.names.map { "\($0) at home" })
    }
}

import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// A house with eight seats, which holds seats by an effect that passes through a scheduler.
@Suite("Exploration: work that is due at once")
struct DueAtOnceTests {
    struct House: Hashable { var left = 8 }
    typealias World = AnyScheduler<TimePoint, Never>
    typealias Hold = @Sendable (AnyPublisher<Int, Never>, World) -> AnyPublisher<Int, Never>

    private static func house(_ hold: @escaping Hold) -> Reducer<House, Int, Int, World> {
        Reducer(
            transform: { house, seats, world in
                guard seats <= house.left else { throw Rejection("too few seats") }
                return hold(.just(seats), world)
            },
            apply: { (house: inout House, seats: Int) in house.left -= seats })
    }

    private static let holds: [(name: String, hold: Hold)] = [
        ("receive(on:)", { $0.receive(on: $1).eraseToAnyPublisher() }),
        ("subscribe(on:)", { $0.subscribe(on: $1).eraseToAnyPublisher() }),
        ("delay", { $0.delay(for: .zero, scheduler: $1).eraseToAnyPublisher() }),
        ("timeout", { $0.timeout(.seconds(5), scheduler: $1).eraseToAnyPublisher() }),
    ]

    @Test("An event between the scheduling of a closure that is due at once and its run is explored", arguments: holds.indices)
    func overbooked(_ number: Int) {
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(Self.house(Self.holds[number].hold), given: House()) { $0.scheduler.eraseToAnyScheduler() }
                .events([5], atMost: 2)
                .allowingRefusals { $0 is Rejection }
                .always("nobody stands") { $0.left >= 0 }
                .run()
        }
        expect(failure?.message.hasPrefix("\"nobody stands\" does not hold") == true)
        expect(failure?.trace.contains("What is due at once") == true)
    }

    @Test("A counterexample has a plan only if nothing came before what was due at once")
    func plan() {
        func plan(_ events: [Int], atMost most: Int) -> String? {
            let failure = #expect(throws: ExplorationFailure.self) {
                try Exploration(Self.house { $0.receive(on: $1).eraseToAnyPublisher() }, given: House()) {
                    $0.scheduler.eraseToAnyScheduler()
                }
                .events(events, atMost: most)
                .allowingRefusals { $0 is Rejection }
                .always("some seats are left") { $0.left > 0 }
                .run()
            }
            return failure?.plan
        }
        let one = plan([8], atMost: 1)
        expect(one?.contains(".when(8)") == true && one?.contains(".advance(") == false)
        expectEqual(plan([5], atMost: 2), "")
    }
}

import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Page: Hashable, Sendable {
    var text = ""
    var phase = 0
}

private enum Change: Hashable, Sendable {
    case write(String)
    case phase(Int)
}

private struct World: Sendable {
    var call: @Sendable (String) -> AnyPublisher<String, Never>
    var scheduler: AnyScheduler<TimePoint, Never>

    func writing(_ name: String) -> AnyPublisher<Change, Never> { call(name).effects(Change.write) }

    func wait(_ seconds: Int) -> AnyPublisher<String, Never> {
        Just("").delay(for: .seconds(seconds), scheduler: scheduler).eraseToAnyPublisher()
    }
}

private typealias Transform = @Sendable (Page, String, World) -> AnyPublisher<Change, Never>

private let call = Stub<String, String, Never>("call")

/// An exploration of events that are possible in a phase each. Each call answers with its argument.
private func exploring(
    _ events: [String]..., transform: @escaping Transform
) -> Exploration<Page, String, Change, World> {
    let reducer = Reducer<Page, String, Change, World>(
        transform: transform,
        apply: { (page: inout Page, change: Change) in
            switch change {
            case .write(let text): page.text += text
            case .phase(let phase): page.phase = phase
            }
        })
    return Exploration(reducer, given: Page()) {
        World(call: $0.publisher(call), scheduler: $0.scheduler.eraseToAnyScheduler())
    }
    .events { page in events.indices.contains(page.phase) ? events[page.phase] : [] }
    .answers(call) { [.answer($0)] }
}

/// Expects that a state with each of the texts is reached.
private func expectReached(_ texts: String..., by exploration: Exploration<Page, String, Change, World>) {
    for text in texts {
        let failure = #expect(throws: ExplorationFailure.self, "\(text) is not reached") {
            try exploration.never("it is the text") { $0.text == text }.run()
        }
        expectEqual(failure?.message.hasPrefix("\"never: it is the text\" does not hold"), true)
    }
}

struct DistinctNodesTests {
    @Test("A job that is cancelled in its queue, in an effect that goes on, is not taken for one that has begun")
    func cancelledInQueue() {
        let exploration = exploring(["first"], ["second"], ["stop"]) { _, event, world in
            switch event {
            case "first": world.call("a").ignoreOutput().map { _ -> Change in }.job("queue", .queue).prepend(.phase(1))
            case "second":
                world.writing("b").job("queue", .queue).append(world.writing("c")).prepend(.phase(2)).eraseToAnyPublisher()
            default: .cancelJob("queue")
            }
        }
        expectReached("b", "bc", "c", by: exploration)
    }

    @Test("A job that was ignored, in an effect that goes on, is not taken for one that has started")
    func ignored() {
        let exploration = exploring(["warm up"], ["load"]) { _, event, world in
            switch event {
            case "warm up": world.call("a").ignoreOutput().map { _ -> Change in }.job("load", .ignoreNew).prepend(.phase(1))
            default:
                world.writing("b").job("load", .ignoreNew).append(world.writing("c")).prepend(.phase(2)).eraseToAnyPublisher()
            }
        }
        expectReached("c", "bc", by: exploration)
    }

    @Test("Jobs that wait in a queue in different orders lead to different nodes")
    func orderOfQueue() {
        let exploration = exploring(["wait"], ["upload"], ["delete"]) { _, event, world in
            switch event {
            case "wait": world.wait(10).effects { _ in Change.phase(4) }.job("disk", .queue).prepend(.phase(1))
            case "upload":
                world.call("token").timeout(.seconds(5), scheduler: world.scheduler)
                    .flatMap { _ in world.writing("u").job("disk", .queue) }.prepend(.phase(2)).eraseToAnyPublisher()
            default: world.writing("d").job("disk", .queue).prepend(.phase(3))
            }
        }
        expectReached("ud", "du", by: exploration)
    }

    @Test("A job that is cancelled before an answer differs from one that is cancelled after it")
    func orderOfCancellation() {
        let exploration = exploring(["start"], ["stop"]) { _, event, world in
            switch event {
            case "start":
                ["a", "b", "c"].publisher.flatMap { name in
                    name == "a" ? AnyPublisher(world.call("a").job("a").replaceEmpty(with: "-")) : world.call(name)
                }.collect().map { Change.write($0.joined()) }.prepend(.phase(1)).eraseToAnyPublisher()
            default: .cancelJob("a")
            }
        }
        expectReached("-bc", "b-c", "bc-", "-cb", "c-b", "cb-", by: exploration)
    }

    @Test("Two timers of one effect are distinguished, even if their times are swapped")
    func timers() {
        let exploration = exploring(["start"], []) { _, event, world in
            switch event {
            // x is due after 5 seconds, and y 3 seconds after the answer.
            case "start":
                ["x", "y"].publisher.flatMap { name in
                    name == "x"
                        ? AnyPublisher(world.wait(5).map { _ in "x" })
                        : AnyPublisher(world.call("y").flatMap { y in world.wait(3).map { _ in y }.prepend("answered ") })
                }.map(Change.write).prepend(.phase(1)).eraseToAnyPublisher()
            case "probe": .just(.phase(2))
            default: world.wait(event == "short" ? 1 : 2).ignoreOutput().map { _ -> Change in }.job("wait", .ignoreNew)
            }
        }
        .events(atMost: 2) { $0.phase == 1 ? ["short", "long"] : [] }
        .events { $0.phase == 1 && $0.text == "answered x" ? ["probe"] : [] }
        #expect(throws: ExplorationFailure.self) { try exploration.never("x is before y") { $0.phase == 2 }.run() }
    }

    @Test("An event that ends a job in an effect that goes on is tried before the answers that only the effect observes")
    func stopped() {
        let exploration = exploring(["start"], ["stop"]) { _, event, world in
            switch event {
            case "start":
                world.call("a").job("lines").collect().map { Change.write("got " + $0.joined()) }.prepend(.phase(1))
                    .eraseToAnyPublisher()
            default: .cancelJob("lines")
            }
        }
        .answers(call, atMost: 2) { [.send($0)] }
        expectReached("got ", "got a", "got aa", by: exploration)
    }

    @Test("Answers that only an effect observes are still tried in one order if the effect ends with its job")
    func endingWithJob() throws {
        let exploration = exploring(["start"], ["stop"]) { _, event, world in
            switch event {
            case "start":
                world.call("a").flatMap { world.call($0 + "b") }.effects(Change.write).job("job").prepend(.phase(1))
            default: AnyPublisher<Change, Never>.cancelJob("job").append(.phase(2)).eraseToAnyPublisher()
            }
        }
        try expect("\(exploration.run())".contains("independent choices in one order"))
    }
}

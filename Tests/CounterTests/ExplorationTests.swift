import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import CounterSample

private typealias CounterExploration = Exploration<Counter, CounterEvent, CounterEffect, CounterEnvironment>

private let post = Stub<Int, Int, ServiceError>("post")
private let load = Stub<Void, Int, ServiceError>("load")
private let setServiceUp = Stub<Bool, Bool, ServiceError>("setServiceUp")
private let offline = ServiceError("Connection refused")
private let locked = ServiceError("cannot start the service")

extension Counter {
    /// What the service has said last.
    fileprivate var said: Int { confirmed ?? 0 }
}

/// The counter with a service that takes counts up to two, or refuses.
private func exploration(_ state: Counter, atMost events: Int? = nil, _ list: [CounterEvent]) -> CounterExploration {
    Exploration(Counter.reducer, given: state) { stubs in
        CounterEnvironment(
            post: stubs.publisher(post), load: stubs.publisher(load), setServiceUp: stubs.publisher(setServiceUp))
    }
    .events(atMost: events) { state in
        // Those that the program does not refuse; and so that counts have an end.
        list.filter { event in
            switch event {
            case .plus: state.confirmed != nil && state.count < 3
            case .minus: state.confirmed != nil || state.count == 0
            case .refresh: true
            case .toggleService: state.isServiceUp != nil
            }
        }
    }
    .answers(post) { [.answer(min($0, 2)), .failure(offline)] }
    .answers(load, with: [0, 2], failing: [offline])
    .answers(setServiceUp) { [.answer($0), .failure(locked)] }
}

@Suite("Counter: explored")
struct CounterExplorationTests {
    @Test("The count is the one that the service has sent, once nothing is due, and never below zero")
    func confirmed() throws {
        let report = try exploration(Counter(), [.plus, .minus, .refresh])
            .never("the count is below zero") { $0.count < 0 }
            .always("a count that the service has not said is one that it is asked for") { $0.isBusy || $0.count == $0.said }
            .eventually("the service answers, or fails", after: { $0.isBusy }, until: { !$0.isBusy })
            .whenQuiet("nothing is due") { !$0.isBusy && $0.count == $0.said }
            .canAlways("be told a count") { $0.confirmed == 2 }
            .limited(nodes: 5000)
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A service that does not answer can be asked again by a press")
    func neverAnswers() throws {
        let report = try exploration(Counter(confirmed: 0), [.plus, .minus, .refresh])
            .answers(post, never: true) { [.answer(min($0, 2)), .failure(offline)] }
            .always("a count that the service has not said is one that it is asked for") { $0.isBusy || $0.count == $0.confirmed }
            .canAlways("come to rest") { !$0.isBusy }
            .limited(nodes: 5000)
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A failure to start or stop the service does not change the count, and no unexpected answer arrives")
    func switching() throws {
        let watched = Counter.reducer.watched { (isSurprised: inout Bool, counter: Counter, effect: CounterEffect) in
            switch effect {
            case .answered, .failed: if !counter.isBusy { isSurprised = true }
            default: break
            }
        }
        let report = try Exploration(watched, given: Watched(Counter(confirmed: 0, isServiceUp: true), false)) { stubs in
            CounterEnvironment(
                post: stubs.publisher(post), load: stubs.publisher(load), setServiceUp: stubs.publisher(setServiceUp))
        }
        .events([.plus, .refresh, .toggleService], atMost: Budget.size(3, quick: 2))
        .answers(post) { [.answer($0), .failure(offline)] }
        .answers(load, with: [0, 2], failing: [offline])
        .answers(setServiceUp) { [.answer($0), .failure(locked)] }
        .never("an answer comes that is not due") { $0.memory }
        .whenQuiet("nothing is due") { !$0.state.isBusy && $0.state.count == $0.state.confirmed }
        .run()
        expectEqual(report.extent, .exhaustive)
    }
}

import Moonlight
import MoonlightTesting
import Streams
import Synchronization
import Testing

private struct Tea: Equatable, Sendable {
    var cups = 0
    var isBrewing = false
}

private enum TeaEvent: Sendable { case brew, drink }

private enum TeaEffect: Equatable, Sendable { case started, ready, drunk }

private struct TeaEnvironment: Sendable {
    var kettle: @Sendable () -> AnyPublisher<Void, Never>
}

extension Tea {
    fileprivate static let reducer = Reducer<Tea, TeaEvent, TeaEffect, TeaEnvironment>(
        transform: { tea, event, environment in
            switch event {
            case .brew:
                if tea.isBrewing { throw Rejection("the kettle is on") }
                return environment.kettle().effects { .ready }.prepend(.started)
            case .drink:
                if tea.cups == 0 { throw Rejection("the pot is empty") }
                return .just(.drunk)
            }
        },
        apply: { tea, effect in
            switch effect {
            case .started: tea.isBrewing = true
            case .ready: (tea.cups, tea.isBrewing) = (tea.cups + 2, false)
            case .drunk: tea.cups -= 1
            }
        })
}

/// A queue without delays: the page's three seconds are over at once.
private enum DispatchQueue {
    static func global() -> ImmediateScheduler { ImmediateScheduler.shared }
}

/// The input and the output.
private let typed = Mutex(["drink", "brew", "milk", "drink"])
private let printed = Lines()
private func readLine() -> String? { typed.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
private func print(_ value: Any) { printed.append("\(value)") }

private struct Teapot {
    static func main() async {
        let kettle = TeaEnvironment(kettle: {
            Just(()).delay(for: .seconds(3), scheduler: DispatchQueue.global()).eraseToAnyPublisher()
        })
        let store = Store(reducer: Tea.reducer, initialState: Tea(), environment: kettle)

        let picture = store.states.sink { tea in
            print(tea.isBrewing ? "The kettle is on." : "\(tea.cups) cups.")
        }
        defer { picture.cancel() }

        while let line = readLine() {
            let event: TeaEvent
            switch line {
            case "brew": event = .brew
            case "drink": event = .drink
            default:
                print("Type brew or drink.")
                continue
            }
            if case .failure(let error) = await store.send(event) { print(error) }
        }
    }
}

private let kettle = Stub<Void, Void, Never>("kettle")

@Test private func brewingAndDrinking() throws {
    try Plan(Tea.reducer, given: Tea()) { TeaEnvironment(kettle: $0.publisher(kettle)) }
        .rejects(.drink)
        .when(.brew)
        .then(\.isBrewing, equals: true)
        .rejects(.brew)
        .resolve(kettle())
        .then(equals: Tea(cups: 2))
        .when(.drink)
        .then(\.cups, equals: 1)
        .run()
}

/// `.ci/follow` follows the page as a whole, command for command; here its code is compiled and run.
@Suite("Page: GettingStarted")
struct GettingStartedPage {
    @Test("The program of the page prints what the page shows")
    func program() async {
        await Teapot.main()
        let all = printed.all
        #expect(all.filter { !$0.hasPrefix("the event was rejected") }.count == 5)
        #expect(all[0] == "0 cups.")
        #expect(all[1] == "the event was rejected: the pot is empty")
        #expect(all.suffix(4) == ["The kettle is on.", "2 cups.", "Type brew or drink.", "1 cups."])
    }

    @Test("A plan without the answer fails at the step after it")
    func unanswered() throws {
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(Tea.reducer, given: Tea()) { TeaEnvironment(kettle: $0.publisher(kettle)) }
                .when(.brew)
                .then(equals: Tea(cups: 2))
                .run()
        }
        #expect(failure?.message.hasPrefix("cups: expected 2, got 0") == true)
    }

    @Test("A call that no step answers is a failure, which names the step to write")
    func unasked() throws {
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(Tea.reducer, given: Tea()) { TeaEnvironment(kettle: $0.publisher(kettle)) }.when(.brew).run()
        }
        #expect(
            failure?.message == """
                kettle() was called, but no step mentions it; it waits for its answer
                Write .resolve(kettle(), with: …), .fail(kettle(), with: …) or, if it does not matter, .ignoringCalls(of: "kettle")
                """)
    }
}

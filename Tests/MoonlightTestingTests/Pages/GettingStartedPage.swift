import Moonlight
import MoonlightTesting
import Streams
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
                return environment.kettle().map { .ready }.prepend(.started).eraseToAnyPublisher()
            case .drink:
                if tea.cups == 0 { throw Rejection("the pot is empty") }
                return Just(.drunk).eraseToAnyPublisher()
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

/// Time that does not pass: the page's three seconds are over at once.
private enum DispatchQueue {
    static func global() -> ImmediateScheduler { ImmediateScheduler.shared }
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

/// The page as a whole is followed by `.ci/follow`, command for command; here its code is compiled and run.
@Suite("Page: GettingStarted")
struct GettingStartedPage {
    @Test("the program, given lines")
    func program() async {
        let printed = Lines()
        var lines = ["drink", "brew", "milk", "drink"][...]
        func readLine() -> String? { lines.popFirst() }
        @Sendable func print(_ value: Any) { printed.append("\(value)") }

        let kettle = TeaEnvironment(kettle: {
            Just(()).delay(for: .seconds(3), scheduler: DispatchQueue.global()).eraseToAnyPublisher()
        })
        let store = Store(reducer: Tea.reducer, initialState: Tea(), environment: kettle)

        let picture = store.states.sink { tea in
            print(tea.isBrewing ? "The kettle is on." : "\(tea.cups) cups.")
        }

        while let line = readLine() {
            let event: TeaEvent
            switch line {
            case "brew": event = .brew
            case "drink": event = .drink
            default:
                print("You may say brew, or drink.")
                continue
            }
            if case .failure(let error) = await store.send(event) { print(error) }
        }
        picture.cancel()
        let all = printed.all
        #expect(all.filter { !$0.hasPrefix("the event was refused") }.count == 5)
        #expect(all[0] == "0 cups.")
        #expect(all[1].hasPrefix("the event was refused: the pot is empty (MoonlightTestingTests/GettingStartedPage.swift:"))
        #expect(all.suffix(4) == ["The kettle is on.", "2 cups.", "You may say brew, or drink.", "1 cups."])
    }

    @Test("an answer that nobody gives is a failure, which says what to write")
    func unanswered() throws {
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(Tea.reducer, given: Tea()) { TeaEnvironment(kettle: $0.publisher(kettle)) }.when(.brew).run()
        }
        #expect(failure?.message.hasPrefix("kettle() was called, and nobody has asked about it") == true)
    }
}

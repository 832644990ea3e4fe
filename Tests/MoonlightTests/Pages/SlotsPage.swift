import Moonlight
import MoonlightTestSupport
import Streams
import Testing

struct Progress: Equatable, Sendable { var percent: Int }

enum Download: Equatable, Sendable {
    case starting
    case running(Progress)
    case done
}

extension CasePath where Whole == Download, Part == Void {
    static var starting: CasePath { CasePath(.starting) { $0 == .starting } }
    static var done: CasePath { CasePath(.done) { $0 == .done } }
}

extension CasePath where Whole == Download, Part == Progress {
    static var running: CasePath {
        CasePath(Download.running, name: "running") { if case .running(let it) = $0 { it } else { nil } }
    }
}

extension Download: StatusReporting {
    var indicator: StatusIndicator { self == .done ? .ok : .busy }
    var detail: String { if case .running(let progress) = self { "\(progress.percent) %" } else { "" } }
}

private struct Model: Equatable, Sendable {
    var download = Slot<Download>()
    var said: [String] = []
}

private enum Event: Sendable {
    case start(String)
    case advance(Int)
    case finish, cancel
    case say(String)
}
private enum Effect: Sendable {
    case started, opened
    case advanced(Int)
    case finished, removed
    case said(String)
}
private struct Environment: Sendable { var open: @Sendable (String) -> AnyPublisher<Effect, Never> }

@Suite("Page: Slot")
struct SlotPage {
    private static let reducer = Reducer<Model, Event, Effect, Environment>(
        transform: { model, event, environment in
            switch event {
            case .start(let file):
                try model.download.requireAbsent()
                return environment.open(file)
            case .cancel:
                try model.download.require(.running)
                return Just(.removed).eraseToAnyPublisher()
            case .advance(let percent): return Just(.advanced(percent)).eraseToAnyPublisher()
            case .finish: return Just(.finished).eraseToAnyPublisher()
            case .say(let line): return Just(.said(line)).eraseToAnyPublisher()
            }
        },
        apply: { model, effect in
            switch effect {
            case .started: try model.download.initialize(.starting)
            case .opened: try model.download.transition(from: .starting, into: .running(Progress(percent: 0)))
            case .advanced(let percent): try model.download.actualize(.running) { $0.percent = percent }
            case .finished: try model.download.transition(from: .running, into: .done)
            case .removed: try model.download.deinitialize()
            case .said(let line): model.said.append(line)
            }
        })

    @Test("A download goes through its states, and an effect that violates a guard changes nothing")
    func download() {
        let announce = Rule("announce")
            .when(.transitioned(\Model.download, into: .done))
            .then { _ in Event.say("done") }
        let opened = Recorder<String>()
        let refused = Recorder<String>()
        let environment = Environment(open: { file in
            opened.append(file)
            return [Effect.started, .opened].publisher.eraseToAnyPublisher()
        })
        let store = Store(
            reducer: Self.reducer, initialState: Model(), environment: environment,
            options: LoopOptions(journal: { record in
                if case .effectRejected(_, let error) = record.step { refused.append("\(error)") }
                if case .rejected(_, let error) = record.step { refused.append("\(error)") }
            }),
            feedback: {
                [Rule.events(of: [announce], from: $0), Empty(completeImmediately: false).eraseToAnyPublisher()]
            })
        for event in [Event.cancel, .start("a"), .start("b"), .advance(40), .finish, .advance(50)] { store.send(event) }
        #expect(store.state == Model(download: Slot(.done), said: ["done"]))
        #expect(opened.all == ["a"])
        #expect(
            refused.all == [
                "Download: expected running, was absent", "Download: expected absent, was running",
                "Download: expected running, was done",
            ])
    }

    @Test("The status line shows all features of a state")
    func status() {
        #expect(
            Moonlight.statusLine(of: Model(download: Slot(.running(Progress(percent: 40))))) == "download: busy 40 %")
    }
}

import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

private struct Gate: Hashable {
    enum Mode: Hashable { case open, closed }
    var mode = Mode.open
    var guest: String?
}

private enum GateEvent: Equatable {
    case close
    case open
    case ask(String)
}
private enum GateEffect: Equatable {
    case mode(Gate.Mode)
    case guest(String?)
}
private struct GateWorld: Sendable { var name: @Sendable (String) async throws -> String }

func vocabularyOfExploration() throws {
    let name = Stub<String, String, any Error>("name")
    let gate = Reducer<Gate, GateEvent, GateEffect, GateWorld>(
        transform: { _, event, world in
            switch event {
            case .close: .just(.mode(.closed))
            case .open: .just(.mode(.open))
            case .ask(let text):
                AnyPublisher<GateEffect, Never>.run { send in send(.guest(try? await world.name(text))) }.job("name", .latest)
                    .eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Gate, effect: GateEffect) in
            switch effect {
            case .mode(let mode): state.mode = mode
            case .guest(let guest): state.guest = guest
            }
        })
    let exploration = Exploration(gate, given: Gate()) { GateWorld(name: $0.async(name)) }
        .events([.ask("a"), .ask("b")], atMost: 2)
        .events(atMost: 2) { $0.mode == .open ? [.close] : [.open] }
        .answers(name) { [.answer($0), .failure(CancellationError())] }
        .allowingRefusals { $0 is CancellationError }
        .always("a guest has a name") { $0.guest?.isEmpty != true }
        .never("nobody has this name") { $0.guest == "c" }
        .whenQuiet("it is a gate") { _ in true }
        .canAlways("be open", to: { $0.mode == .open })
        .eventually("it rests", until: { _ in true })
        .noDeadEnds(except: { $0.mode == .closed })
        .drawn { "\($0.mode)" }
        .covered()
        .limited(nodes: 100_000, memory: 1 << 30)
        .onAllCores()
    let report = try exploration.run()
    print(report, report.picture?.text ?? "", report.coverage?.description ?? "")
    do { try exploration.never("closed") { $0.mode == .closed }.run() } catch { print(error.message, error.name, error.plan) }
}

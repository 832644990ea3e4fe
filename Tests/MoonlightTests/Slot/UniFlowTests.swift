import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// UniFlow's README, from its features to its bindings, with public API.
@Suite("UniFlow's README")
struct UniFlowTests {
    enum Event: Sendable {
        case start
        case advance(Double)
        case finish, remove
        case log(String)
    }
    enum Effect: Sendable {
        case started
        case advanced(Double)
        case finished, removed
        case printed(String)
    }

    static let files = Reducer<Files, Event, Effect, Void>(
        transform: { files, event, _ in
            switch event {
            case .start: return Just(.started).eraseToAnyPublisher()
            case .advance(let percent): return Just(.advanced(percent)).eraseToAnyPublisher()
            case .finish:
                // trigger.In<InProgress>: nothing changes if it does not hold.
                try files.download.require(.inProgress)
                return Just(.finished).eraseToAnyPublisher()
            case .remove: return Just(.removed).eraseToAnyPublisher()
            case .log(let line): return Just(.printed(line)).eraseToAnyPublisher()
            }
        },
        apply: { files, effect in
            switch effect {
            case .started: try files.download.initialize(.starting)
            case .advanced(let percent):
                if files.download[.starting] != nil {
                    try files.download.transition(
                        from: .starting, into: .inProgress(.init(percent: percent)))
                } else {
                    try files.download.actualize(.inProgress) { $0.percent = percent }
                }
            case .finished: try files.download.transition(from: .inProgress, into: .completed)
            case .removed: try files.download.deinitialize()
            case .printed(let line): files.printed.append(line)
            }
        })

    static let bindings: [Rule.Complete<Files, Event>] = [
        Rule("print the progress")
            .when(.actualized(\Files.download, in: .inProgress))
            .compactMap { $0.to.percent }
            .then { Event.log("Progress: \($0)%") },
        Rule("finish")
            .when(.appearing { (files: Files) in files.download[.inProgress] })
            .given { $0.percent >= 100 }
            .then { _ in Event.finish },
        Rule("tell of the end")
            .when(.transitioned(\Files.download, into: .completed))
            .then { _ in Event.log("completed") },
    ]

    @Test("A download starts, advances, completes by a binding and is removed; violated guards are in the journal")
    func readme() {
        let refused = Recorder<String>()
        let store = Store(
            reducer: Self.files, initialState: Files(), environment: (),
            options: LoopOptions(journal: { record in
                switch record.step {
                case .rejected(let event, let error): refused.append("\(event): \((error as? Rejection)?.reason ?? "")")
                case .effectRejected(let effect, let error):
                    refused.append("\(effect): \((error as? Rejection)?.reason ?? "")")
                default: break
                }
            }),
            feedback: {
                [Rule.events(of: Self.bindings, from: $0), Empty(completeImmediately: false).eraseToAnyPublisher()]
            })
        for event in [Event.finish, .start, .start, .advance(10), .advance(50), .advance(100), .advance(120), .remove] {
            store.send(event)
        }
        expectEqual(store.state, Files(printed: ["Progress: 50.0%", "Progress: 100.0%", "completed"]))
        expectEqual(
            refused.all,
            [
                "finish: FileDownloading: expected inProgress, was absent",
                "started: FileDownloading: expected absent, was starting",
                "advanced(120.0): FileDownloading: expected inProgress, was completed",
            ])
    }

    @Test("A child in a slot is present while the feature is, and its own effects actualize the slot")
    func child() {
        struct Model: Equatable, Sendable { var lamp = Slot<Lamp>() }
        enum ModelEvent: Sendable {
            case lamp(Lamp.Event)
            case on, off
        }
        enum ModelEffect: Sendable {
            case lamp(Lamp.Effect)
            case on, off
        }
        let event = CasePath(ModelEvent.lamp) { if case .lamp(let event) = $0 { event } else { nil } }
        let effect = CasePath(ModelEffect.lamp) { if case .lamp(let effect) = $0 { effect } else { nil } }
        let model = Reducer<Model, ModelEvent, ModelEffect, Lamp.World>(
            transform: { _, event, _ in
                switch event {
                case .on: Just(.on).eraseToAnyPublisher()
                case .off: Just(.off).eraseToAnyPublisher()
                case .lamp: Empty().eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .on: try state.lamp.initialize(Lamp())
                case .off: try state.lamp.deinitialize()
                case .lamp: break
                }
            }
        ).combined(
            with: Lamp.reducer.scoped(
                toOptional: \.lamp.state, event: event, effect: effect, environment: { $0 }, name: "lamp"))
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: model, initialState: Model(), environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        let changes = Recorder<String>()
        let subscription = store.states.scan(nil as Transition<Model>?) { Transition(before: $0?.after, after: $1) }
            .sink { change in
                guard let change else { return }
                for change in SlotChange.between(change.before?.lamp, change.after.lamp) {
                    changes.append(change.verb.rawValue)
                }
            }
        for event in [ModelEvent.on, .lamp(.watch), .lamp(.up(1)), .off, .on] { store.send(event) }
        notes.send("late")
        expectEqual(store.state.lamp.state, Lamp())
        expectEqual(changes.all, ["initialized", "actualized", "deinitialized", "initialized"])
        withExtendedLifetime(subscription) {}
    }
}

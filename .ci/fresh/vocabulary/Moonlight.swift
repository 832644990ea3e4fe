import Moonlight
import StreamLimits
import Streams

struct Lamp: Equatable, Sendable {
    var isOn = false
    var uses = 0
}

enum LampEvent: Sendable { case toggle, fail }

let lamp = Reducer<Lamp, LampEvent, Bool, Void>(
    transform: { lamp, event, _ in
        if case .fail = event { throw Rejection("not this lamp") }
        return Just(!lamp.isOn).eraseToAnyPublisher()
    },
    apply: { (lamp: inout Lamp, isOn: Bool) in
        lamp.isOn = isOn
        lamp.uses += 1
    })

enum Door: Equatable, Sendable { case open, shut }

func checkMoonlight() async {
    checkLoop()
    await checkStore()
    await checkServer()
    checkSlot()
}

private func checkLoop() {
    let seen = Box<[Int]>([])
    var kept: [AnyCancellable] = []
    let events = PassthroughSubject<Int, Never>()
    let states: AnyPublisher<Int, Never> = Moonlight.start(
        initialState: 0, environment: (), feedback: { _ in events.eraseToAnyPublisher() },
        transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 + $1 },
        store: { $0.store(in: &kept) })
    states.sink { seen.value.append($0) }.store(in: &kept)
    events.send(2)
    check("Moonlight.start", seen.value, [0, 2])
}

private func checkStore() async {
    let lines = Box<[String]>([])
    let greet = Rule("twice")
        .when(.changing { (lamp: Lamp) in lamp.uses })
        .given("it is the second") { change in change.to == 2 }
        .compactMap { change in change.to == 2 ? change.to : nil }
        .then { _ in LampEvent.fail }
    let store = Store(
        reducer: lamp, initialState: Lamp(), environment: (),
        options: LoopOptions(journal: { lines.value.append("\($0)") }),
        feedback: { states in [Rule.events(of: [greet], from: states)] })
    store.post(.toggle)
    let answer: Result<Void, SendError> = await store.send(.toggle)
    if case .failure(let error) = answer { print("not expected: \(error)") }
    check("Store", store.state, Lamp(isOn: false, uses: 2))
    check("jobs", store.inFlight.count, 0)
    check("a rule has fired", lines.value.contains { $0.contains("rule twice fired") }, true)
    store.cancel()
    await store.finished()
}

/// The requirements of a server on a store.
private func checkServer() async {
    let lines = Box<[String]>([])
    let writer = JournalWriter<Lamp, LampEvent, Bool>(every: .milliseconds(10), on: ImmediateScheduler.shared) { batch in
        lines.value.append(batch.lines)
    }
    let limiter = RateLimiter(count: 1, per: .seconds(3600), on: ImmediateScheduler.shared)
    let store = Store(
        reducer: Reducer(
            transform: { (lamp: Lamp, event: LampEvent, limiter) -> AnyPublisher<Bool, Never> in
                switch event {
                case .toggle:
                    return Just(!lamp.isOn).limited(by: limiter).job("toggle", .queue(limit: 3)).eraseToAnyPublisher()
                case .fail: throw Rejection("not this lamp")
                }
            },
            apply: { (lamp: inout Lamp, isOn: Bool) in
                lamp.isOn = isOn
                lamp.uses += 1
            }),
        initialState: Lamp(), environment: limiter,
        options: LoopOptions(name: "lamp", journal: writer.take, inbox: .suspend(8), effectLimit: 4))
    let uses = try? await store.send(.toggle) { $0.uses }
    check("a reading at the decision", uses, 1)
    let refused = await store.send(.fail, until: .decided)
    if case .failure(let error) = refused {
        check("refused", error.isRetryable, true)
    } else {
        print("not expected: \(refused)")
    }
    check("in time", (try? await store.send(.toggle, within: .seconds(600)).get()) != nil, true)
    check("counters", store.counters.map { [$0.events, $0.refusals, $0.waiting, $0.liveEffects] }, [3, 1, 0, 0])
    check("registry", StoreRegistry.shared.counters.map(\.name), ["lamp"])
    check("quiet", store.inFlight.isEmpty, true)
    check("left over", await store.drain(within: .seconds(600)).count, 0)
    check("after the end", StoreRegistry.shared.counters.count, 0)
    writer.flush()
    check("lines", lines.value.joined().contains(" lamp  "), true)
}

private func checkSlot() {
    var slot = Slot<Door>()
    do {
        try slot.initialize(.shut)
        try slot.transition(into: .open)
        try slot.transition(into: .open)
    } catch { check("a broken guard", "\(error)".isEmpty, false) }
    check("Slot", slot.isPresent, true)
}

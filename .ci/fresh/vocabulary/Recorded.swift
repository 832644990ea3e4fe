import Foundation
import Moonlight
import MoonlightRecording
import MoonlightRecordingTesting
import MoonlightTesting
import Streams

private struct Desk: Codable, Equatable, Sendable {
    var found: [String] = []
    var token = ""
    var time = 0
    var prices: [String: Int] = [:]
    var isReminded = false
}

private enum DeskEvent: Codable, Sendable {
    case search(String)
    case login(String)
    case stamp
    case watch(String)
    case remind
    case refuse
}
private enum DeskEffect: Codable, Sendable {
    case found([String])
    case token(String)
    case time(Int)
    case price(String, Int)
    case reminded
}

private struct DeskWorld: Sendable {
    var find: @Sendable (String) async -> [String]
    var prices: @Sendable (String) -> AnyPublisher<Int, Never>
    var now: @Sendable () -> Int
    var scheduler: AnyScheduler<TimePoint, Never>
}

private let find = Stub<String, [String], Never>("find")
private let prices = Stub<String, Int, Never>("prices")
private let now = Stub<Void, Int, Never>("now")

private func makeDesk(most: Int) -> Reducer<Desk, DeskEvent, DeskEffect, DeskWorld> {
    Reducer(
        transform: { _, event, world in
            switch event {
            case .search(let text): return .run { send in await send(.found(world.find(text))) }
            case .login(let token): return .just(.token(token))
            case .stamp: return .just(.time(world.now()))
            case .watch(let name): return world.prices(name).map { DeskEffect.price(name, $0) }.eraseToAnyPublisher()
            case .remind:
                return Just(DeskEffect.reminded).delay(for: .seconds(5), scheduler: world.scheduler).eraseToAnyPublisher()
            case .refuse: throw Rejection("not today")
            }
        },
        apply: { (state: inout Desk, effect: DeskEffect) in
            switch effect {
            case .found(let found): state.found = Array(found.prefix(most))
            case .token(let token): state.token = token
            case .time(let time): state.time = time
            case .price(let name, let price): state.prices[name] = price
            case .reminded: state.isReminded = true
            }
        })
}

private let desk = makeDesk(most: 2)

private func deskOfStubs(_ stubs: Stubs) -> DeskWorld {
    DeskWorld(
        find: stubs.async(find), prices: stubs.publisher(prices), now: stubs.function(now, inOrder: [7]),
        scheduler: stubs.scheduler.eraseToAnyScheduler())
}

/// Records a store, and uses the whole API of recordings.
func checkRecording() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString).moon").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let clock = VirtualTimeScheduler()
    let recording = Recording(of: desk, keeping: 1_000, bytes: 1 << 20, redacting: [\.token])
    let price = PassthroughSubject<Int, Never>()
    let store = Store(
        reducer: desk, initialState: Desk(),
        environment: DeskWorld(
            find: recording.async("find") { text in ["\(text) 1", "\(text) 2", "\(text) 3"] },
            prices: recording.publisher("prices") { _ in price.eraseToAnyPublisher() },
            now: recording.function("now") { 7 }, scheduler: recording.scheduler(clock)),
        options: LoopOptions(name: "desk", journal: recording))
    try recording.follow(in: path)
    await store.send(.search("moon"), until: .settled)
    await use(store, price, clock)
    recording.flush()
    check("the file is written", recording.fileFailure, nil)
    check("nothing is lost", recording.lost, 0)

    let written = FileManager.default.contents(atPath: path) ?? Data()
    check("a secret is in no byte", written.range(of: Data("sesame".utf8)), nil)
    check("the bytes are those of a recording", String(decoding: recording.bytes.prefix(7), as: UTF8.self), "MOONREC")
    try checkReading(path, store.state)
    try checkPlaying(try Recording(of: desk, contentsOf: path))
    store.cancel()

    do {
        _ = try Recording<Desk, DeskEvent, DeskEffect>(bytes: [1, 2, 3])
    } catch { check("what is no recording", error, .notARecording(reason: "it does not begin with MOONREC")) }
    do {
        _ = try Recording(of: desk, contentsOf: path, largestFile: 10, largestFrame: 10)
    } catch { check("a limit", "\(error)".contains("the limit is 10"), true) }
    checkFolding()
}

/// Each event is awaited until it is decided, because another thread may still be working in the loop, and would handle it later.
private func use(_ store: Store<Desk, DeskEvent>, _ price: PassthroughSubject<Int, Never>, _ clock: VirtualTimeScheduler) async {
    for event: DeskEvent in [.login("open sesame"), .stamp, .watch("tea")] { await store.send(event, until: .decided) }
    price.send(3)
    await store.send(.remind, until: .decided)
    clock.advance(by: .seconds(5))
    await store.send(.refuse, until: .decided)
}

private func checkReading(_ path: String, _ last: Desk) throws {
    let read = try Recording(of: desk, contentsOf: path)
    check("the file is whole", read.isCutOff, false)
    let steps = try read.steps()
    check("its first step", steps.first?.description, "1  event search(\"moon\")")
    check("numbers", read.numbers, 1...steps.count)
    let kinds: [StepKind] = [.call, .answer, .result, .timer, .fired, .rejected]
    check("kinds of steps", kinds.allSatisfy { kind in steps.contains { $0.kind == kind } }, true)
    guard let reminded = steps.first(where: { $0.text == "reminded" }) else { return check("reminded", false, true) }
    check("causes", try read.causes(of: reminded.number).map(\.kind), [.event])
    check("changes", reminded.changes.map(\.description), ["isReminded: false → true"])
    var state = try read.state(at: steps.count, by: desk)
    check("what is redacted", state.token, "redacted")
    state.token = last.token
    check("the state at the end", state, last)
    check("bisection", try read.firstStep(by: desk) { $0.isReminded }?.number, reminded.number)
    check("a difference", try read.changes(from: reminded.number - 1, to: reminded.number).map(\.path), ["isReminded"])
    check("a trace", try read.trace().isEmpty, false)
    check("a page", try read.page().lowercased().hasPrefix("<!doctype html>"), true)
    do { _ = try read.step(1_000_000) } catch { check("no such step", error, .noStep(1_000_000, kept: read.numbers)) }
}

private func checkPlaying(_ recording: Recording<Desk, DeskEvent, DeskEffect>) throws {
    check("the same reducer", try recording.firstDifference(from: desk, environment: deskOfStubs), nil)
    let difference = try recording.firstDifference(from: makeDesk(most: 3), environment: deskOfStubs)
    check("a changed reducer", difference?.changes.map(\.path), ["found[2]"])
    try recording.plan(of: desk, environment: deskOfStubs).when(.search("sun")).resolve(find("sun"), with: ["sun"])
        .then(\.found, equals: ["sun"]).ignoringCalls().ignoringInFlight().ignoringRelease().run()
    let source = try recording.planSource(reducer: "desk", environment: "deskOfStubs($0)")
    check("the source of a plan", source.contains(".resolve(find(\"moon\")"), true)
    let smallest = try recording.minimized(of: desk, environment: deskOfStubs) { $0.isReminded }
    check("minimized", smallest?.steps.count, 2)
}

/// Applies effects without a loop, such as those of a log.
private func checkFolding() {
    let recording = Recording(of: desk)
    let reducer = recording.folding(desk, from: Desk())
    var state = Desk()
    for time in 1...3 { _ = try? reducer.apply(.time(time), to: &state) }
    check("folding", try? recording.state(at: 3, by: desk).time, 3)
}

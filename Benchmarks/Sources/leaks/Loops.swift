import Harness
import Moonlight
import MoonlightTesting
import Streams

func loops(_ check: inout LeakCheck) {
    check("a loop that is cancelled", cancelledLoop)
    check("a loop whose feedback answers it", answeringLoop)
    check("a store with jobs and reactions, cancelled in the midst of them") { busyStore(cancelling: true) }
    check("a store with jobs and reactions, let go in the midst of them") { busyStore(cancelling: false) }
    check("children that come and go", family)
    check("a plan that is run", plan)
    check("the values of a publisher, awaited to the end") { await awaitAll() }
    check("the values of a publisher, left before the end") { await awaitSome() }
    check("a future's value") { await awaitFuture() }
    check("a body that is run to its end, and one that is cancelled") { await runBodies() }
    check("subscribers that two threads cancel while a third sends", race)
}

private func cancelledLoop() {
    let events = PassthroughSubject<Int, Never>()
    let loop = Moonlight.start(
        initialState: 0, environment: (), feedback: { _ in events.eraseToAnyPublisher() },
        transform: { _, event, _ in [event, 1].publisher.eraseToAnyPublisher() }, apply: { $0 + $1 })
    for event in 0..<3 { events.send(event) }
    loop.cancel()
}

private func answeringLoop() {
    let loop = Moonlight.start(
        initialState: 0, environment: (), feedback: { $0.filter { $0 < 10 }.eraseToAnyPublisher() },
        transform: { _, _, _ in Just(1).eraseToAnyPublisher() }, apply: { $0 + $1 })
    loop.cancel()
}

private struct Busy: Equatable, Sendable {
    var keys: Set<Int> = []
    var found: [String] = []
}

private func busyStore(cancelling: Bool) {
    enum Event: Sendable {
        case search(Int)
        case watch(Int)
        case found(String)
    }
    let time = VirtualTimeScheduler()
    let store = Store<Busy, Event>(
        reducer: Reducer(
            transform: { _, event, _ in
                guard case .search(let number) = event else { return Just(event).eraseToAnyPublisher() }
                return Just(Event.found("\(number)")).delay(for: .seconds(number), scheduler: time).job("search", .latest)
                    .eraseToAnyPublisher()
            },
            apply: { (state: inout Busy, event: Event) in
                switch event {
                case .search: break
                case .watch(let key): if state.keys.remove(key) == nil { state.keys.insert(key) }
                case .found(let text): state.found.append(text)
                }
            }),
        initialState: Busy(), environment: (), options: LoopOptions(journal: { _ in }),
        feedback: { states in
            [states.react(toEach: \.keys) { key in Just(Event.found("\(key)")).delay(for: .seconds(key), scheduler: time) }]
        })
    let observer = store.states.sink { _ in }
    for number in 1...3 {
        store.send(.search(number))
        store.send(.watch(number))
        time.advance(by: .milliseconds(700))
    }
    store.send(.watch(3))
    if cancelling { store.cancel() }
    observer.cancel()
}

private struct Child: Equatable, Sendable { var count = 0 }
private struct Family: Equatable, Sendable { var children = IdentifiedList<Int, Child>() }
private enum FamilyEvent: Sendable {
    case add(Int)
    case remove(Int)
    case child(Int, Int)
    static var one: CasePath<FamilyEvent, (Int, Int)> {
        CasePath(FamilyEvent.child) { if case .child(let id, let event) = $0 { (id, event) } else { nil } }
    }
}

private let child = Reducer<Child, Int, Int, Void>(
    transform: { _, event, _ in Just(event).append(Just(event)).job("count", .latest).eraseToAnyPublisher() },
    apply: { (state: inout Child, effect: Int) in state.count += effect })

private let families = Reducer<Family, FamilyEvent, FamilyEvent, Void>(
    transform: { _, event, _ in
        if case .child = event { Empty().eraseToAnyPublisher() } else { Just(event).eraseToAnyPublisher() }
    },
    apply: { (state: inout Family, effect: FamilyEvent) in
        switch effect {
        case .add(let id): state.children.append(Child(), id: id)
        case .remove(let id): state.children.remove(id: id)
        case .child: break
        }
    }
).combined(with: child.scoped(toEach: \.children, event: FamilyEvent.one, effect: FamilyEvent.one, environment: { $0 }))

private func family() {
    let store = Store(reducer: families, initialState: Family(), environment: ())
    for id in 0..<4 {
        store.send(.add(id))
        store.send(.child(id, 2))
    }
    for id in [2, 0, 3] { store.send(.remove(id)) }
    store.cancel()
}

private func plan() {
    do {
        try Plan(child, given: Child()) { _ in }.when(2).then(\.count, equals: 4).run()
    } catch {
        fatalError("the plan fails: \(error)")
    }
}

private func awaitAll() async {
    var sum = 0
    for await value in (0..<5).publisher.map({ $0 + 1 }).values { sum += value }
}

private func awaitSome() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    for await value in subject.map({ $0 + 1 }).values where value > 0 { break }
}

private func awaitFuture() async {
    let future = Future<Int, Never> { $0(.success(1)) }
    _ = await future.value
}

private func runBodies() async {
    let finished = AnyPublisher<Int, Never>.run { send in send(1) }
    for await _ in finished.values {}
    let endless = AnyPublisher<Int, Never>.run { send in
        send(1)
        while !Task.isCancelled { await Task.yield() }
    }
    for await _ in endless.values { break }
}

private func race() {
    let subject = PassthroughSubject<Int, Never>()
    let sinks = (0..<4).map { _ in subject.map { $0 + 1 }.share().sink { _ in } }
    onThreads(3) { for sink in sinks { sink.cancel() } }
    subject.send(1)
}

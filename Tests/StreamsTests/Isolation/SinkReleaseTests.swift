import MoonlightTestSupport
import Streams
import Testing

/// The actor on which a sink that was formed there releases its captured values.
@Suite("Release of a sink's captured values on its actor")
struct SinkReleaseTests {
    private typealias Numbers = PassthroughSubject<Int, Never>
    private typealias Notes = MoonlightTestSupport.Recorder<String>

    /// The ways in which a subscription is formed.
    enum Form: CaseIterable { case sink, sinkWithCompletion, sinkValue, assign, sinkObject, assignObject, unsubscribedSink }

    /// Subscribes on an actor, with an object that belongs to it.
    private static func subscribe(
        _ form: Form, to numbers: Numbers, on isolation: isolated any Actor, _ notes: Notes,
        isHome: @escaping @Sendable () -> Bool
    ) -> AnyCancellable {
        let belonging = Belonging(notes, isHome: isHome)
        switch form {
        case .sink: return numbers.sink { belonging.value += $0 }
        case .sinkWithCompletion:
            return numbers.sink(receiveCompletion: { _ in belonging.value = 0 }, receiveValue: { belonging.value += $0 })
        case .sinkValue: return numbers.sinkValue { belonging.value += $0 }
        case .assign: return numbers.assign(to: \.value, on: belonging)
        case .sinkObject, .unsubscribedSink:
            let sink = Subscribers.Sink<Int, Never>(
                receiveCompletion: { _ in belonging.value = 0 }, receiveValue: { belonging.value += $0 })
            if form == .sinkObject { numbers.subscribe(sink) }
            return AnyCancellable(sink)
        case .assignObject:
            let assign = Subscribers.Assign(object: belonging, keyPath: \.value)
            numbers.subscribe(assign)
            return AnyCancellable(assign)
        }
    }

    @Test(
        "A sink of the main actor that another thread cancels releases its captured values on the main actor",
        arguments: Form.allCases)
    func mainActor(_ form: Form) async throws {
        let (numbers, notes) = (Numbers(), Notes())
        let cancellable = await Self.subscribe(form, to: numbers, on: MainActor.shared, notes) { MainPlace.isHere }
        elsewhere { cancellable.cancel() }
        try await until { !notes.all.isEmpty }
        expectEqual(notes.all, ["at home"])
    }

    /// An eager actor has run the release before the cancelling thread continues, so that this thread releases the last
    /// reference.
    @Test(
        "A sink of another actor that another thread cancels releases its captured values on that actor",
        arguments: Form.allCases,
        [false, true])
    func anyActor(_ form: Form, isEager: Bool) async throws {
        let (numbers, notes, owner) = (Numbers(), Notes(), QueueActor(isEager: isEager))
        let cancellable = await Self.subscribe(form, to: numbers, on: owner, notes) { owner.isHere }
        elsewhere { cancellable.cancel() }
        try await until { !notes.all.isEmpty }
        expectEqual(notes.all, ["at home"])
    }

    @Test(
        "A sink whose cancellable is released by another thread releases its captured values on its actor",
        arguments: Form.allCases)
    func released(_ form: Form) async throws {
        let (numbers, notes, owner) = (Numbers(), Notes(), QueueActor())
        let held = Lock<AnyCancellable?>(await Self.subscribe(form, to: numbers, on: owner, notes) { owner.isHere })
        elsewhere { discard(held.withLock { $0.take() }) }
        try await until { !notes.all.isEmpty }
        expectEqual(notes.all, ["at home"])
    }

    @Test("An `Assign` that another thread releases without cancelling it releases its object on its actor")
    func releasedAssign() async throws {
        let (notes, owner) = (Notes(), QueueActor())
        func assign(on isolation: isolated any Actor) -> AnySubscriber<Int, Never> {
            AnySubscriber(Subscribers.Assign(object: Belonging(notes) { owner.isHere }, keyPath: \.value))
        }
        // Sound: from here on, only the other thread uses it.
        let held = Lock<UncheckedTransfer<AnySubscriber<Int, Never>>?>(UncheckedTransfer(await assign(on: owner)))
        elsewhere { discard(held.withLock { $0.take() }) }
        try await until { !notes.all.isEmpty }
        expectEqual(notes.all, ["at home"])
    }

    @Test(
        "A sink whose publisher another thread completes releases its captured values on its actor",
        arguments: Form.allCases,
        [false, true])
    func completed(_ form: Form, isEager: Bool) async throws {
        let (numbers, notes, owner) = (Numbers(), Notes(), QueueActor(isEager: isEager))
        let cancellable = await Self.subscribe(form, to: numbers, on: owner, notes) { owner.isHere }
        elsewhere {
            numbers.send(1)
            numbers.send(completion: .finished)
            if form == .unsubscribedSink { cancellable.cancel() }
        }
        try await until { !notes.all.isEmpty }
        expectEqual(notes.all, ["at home"])
        cancellable.cancel()
    }

    @MainActor
    @Test("A sink that is cancelled on the main actor releases its captured values at once", arguments: Form.allCases)
    func atOnce(_ form: Form) {
        let (numbers, notes) = (Numbers(), Notes())
        let cancellable = Self.subscribe(form, to: numbers, on: MainActor.shared, notes) { MainPlace.isHere }
        cancellable.cancel()
        expectEqual(notes.all, ["at home"])
    }

    @Test("A publisher that completes before `sink` returns leaves nothing to be released later")
    func completedAtOnce() async {
        let (notes, owner) = (Notes(), QueueActor())
        func subscribe(on isolation: isolated any Actor) {
            let belonging = Belonging(notes) { owner.isHere }
            discard([1, 2].publisher.sink { belonging.value += $0 })
        }
        func use(on isolation: isolated any Actor) -> [String] {
            subscribe(on: isolation)
            return notes.all
        }
        await expectEqual(use(on: owner), ["at home"])
    }

    /// A publisher that completes during the subscription, and retains its subscriber.
    private final class Clinging: Publisher, Sendable {
        typealias Output = Int
        typealias Failure = Never

        let kept = Lock<UncheckedTransfer<AnySubscriber<Int, Never>>?>(nil)

        func receive<S: Subscriber<Int, Never>>(subscriber: S) {
            // Sound: the retained subscriber is not used.
            kept.withLock { $0 = UncheckedTransfer(AnySubscriber(subscriber)) }
            subscriber.receive(subscription: Subscriptions.empty)
            _ = subscriber.receive(1)
            subscriber.receive(completion: .finished)
        }
    }

    @Test("A completed publisher that retains its subscriber retains no captured values of the sink")
    func keptByPublisher() async {
        let (notes, owner) = (Notes(), QueueActor())
        func use(on isolation: isolated any Actor) -> [String] {
            let publisher = Clinging()
            func subscribe() {
                let belonging = Belonging(notes) { owner.isHere }
                discard(publisher.sink { belonging.value += $0 })
            }
            subscribe()
            let seen = notes.all
            discard(publisher.kept.withLock { $0.take() })
            return seen
        }
        await expectEqual(use(on: owner), ["at home"])
    }

    @MainActor
    @Test("A pending value of the main actor is dropped when another thread cancels the sink")
    func nothingAfterCancel() async {
        let (numbers, seen) = (Numbers(), MoonlightTestSupport.Recorder<Int>())
        let cancellable = numbers.sink { seen.append($0) }
        // The main actor is blocked until the thread has finished.
        elsewhere {
            numbers.send(1)
            cancellable.cancel()
            numbers.send(2)
        }
        for _ in 0..<3 { await Task { @MainActor in }.value }
        expectEqual(seen.all, [])
    }
}

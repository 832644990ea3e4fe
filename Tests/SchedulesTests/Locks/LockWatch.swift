import Streams
import Synchronization

/// Records calls of user code while the calling thread holds a lock of the libraries.
final class LockWatch: Sendable {
    private let faults = Mutex<Set<String>>([])

    /// The faults, each once.
    var found: [String] { faults.withLock { $0.sorted() } }

    /// Called by user code.
    func look(_ what: String) {
        let held = HeldLocks.here
        if held.isEmpty { return }
        let fault = "\(what) is called with a lock held: \(held.joined(separator: ", inside it "))"
        faults.withLock { _ = $0.insert(fault) }
    }

    func probe(_ number: Int) -> Probe { Probe(number, self) }
    func error(_ number: Int) -> ProbeError { ProbeError(probe: probe(number)) }
}

/// A value whose methods and `deinit` count as user code, and check for held locks.
struct Probe: Hashable, Comparable, Codable, CustomStringConvertible, Sendable {
    private final class Body: Sendable {
        let number: Int
        let watch: LockWatch
        init(_ number: Int, _ watch: LockWatch) {
            self.number = number
            self.watch = watch
        }
        deinit { watch.look("deinit") }
    }

    private let body: Body

    init(_ number: Int, _ watch: LockWatch) { body = Body(number, watch) }

    init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Int.self), LockWatch()) }

    var number: Int {
        body.watch.look("a closure")
        return body.number
    }

    var description: String {
        body.watch.look("description")
        return "\(body.number)"
    }

    /// An equal value in another object.
    var copy: Probe { Probe(body.number, body.watch) }
    func plus(_ more: Int) -> Probe { Probe(number + more, body.watch) }

    /// Called in a closure that retains this value.
    func pass<Value>(_ value: Value) -> Value {
        body.watch.look("a closure")
        return value
    }

    func hash(into hasher: inout Hasher) {
        body.watch.look("hash(into:)")
        hasher.combine(body.number)
    }

    static func == (one: Self, other: Self) -> Bool {
        one.body.watch.look("==")
        return one.body.number == other.body.number
    }

    static func < (one: Self, other: Self) -> Bool {
        one.body.watch.look("<")
        return one.body.number < other.body.number
    }

    func encode(to encoder: any Encoder) throws {
        body.watch.look("encode(to:)")
        var container = encoder.singleValueContainer()
        try container.encode(body.number)
    }
}

struct ProbeError: Error, Equatable {
    let probe: Probe
}

typealias Probes = AnyPublisher<Probe, ProbeError>

/// The parts from which a chain of operators is created.
final class ProbeParts: Sendable {
    let watch: LockWatch
    let time = VirtualTimeScheduler()
    let other = PassthroughSubject<Probe, ProbeError>()

    init(_ watch: LockWatch) { self.watch = watch }

    func probe(_ number: Int) -> Probe { watch.probe(number) }
}

/// A subscriber that requests a demand at first, and runs a closure at its first value.
final class ProbeTaker: Subscriber, @unchecked Sendable {
    // Sound: one thread of a scene runs at a time, and the director orders them.
    private let demand: Subscribers.Demand
    private var subscription: (any Subscription)?
    private var atFirstValue: (() -> Void)?
    /// The subscriber may be released before the chain.
    private let body: Probe

    init(_ demand: Subscribers.Demand, _ watch: LockWatch, atFirstValue: (() -> Void)? = nil) {
        self.demand = demand
        self.atFirstValue = atFirstValue
        body = watch.probe(-1)
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if demand != .none { subscription.request(demand) }
    }

    func receive(_ value: Probe) -> Subscribers.Demand {
        _ = value.number + body.number
        let act = atFirstValue.take()
        act?()
        return .none
    }

    func receive(completion: Subscribers.Completion<ProbeError>) {
        body.pass(())
        subscription = nil
        atFirstValue = nil
    }

    func request(_ more: Int) { subscription?.request(.max(more)) }

    func cancel() {
        subscription.take()?.cancel()
        atFirstValue = nil
    }
}

/// A publisher of the user: its subscriptions and their releases are user code.
struct HandmadeProbes: Publisher {
    typealias Output = Probe
    typealias Failure = ProbeError

    let watch: LockWatch
    let control: Control

    final class Control: @unchecked Sendable {
        // Sound: one thread of a scene runs at a time, and the director orders them.
        fileprivate(set) var subscriber: AnySubscriber<Probe, ProbeError>?
        func send(_ value: Probe) { _ = subscriber?.receive(value) }
        func finish(_ completion: Subscribers.Completion<ProbeError>) { subscriber.take()?.receive(completion: completion) }
    }

    private final class Handmade: Subscription {
        let body: Probe
        init(_ watch: LockWatch) { body = watch.probe(-2) }
        func request(_ demand: Subscribers.Demand) { body.pass(()) }
        func cancel() { body.pass(()) }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Probe, S.Failure == ProbeError {
        control.subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: Handmade(watch))
    }
}

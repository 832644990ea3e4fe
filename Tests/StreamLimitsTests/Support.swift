import Streams

/// The error of these tests.
enum Oops: Error, Equatable { case first, second }

/// An object whose release is watched; closures that must be released capture one.
final class Token: Sendable {
    func pass<Value>(_ value: Value) -> Value { value }
}

/// A list that may be written from any thread.
final class Log<Element: Sendable>: Sendable {
    private let guarded = Lock<[Element]>([])

    var items: [Element] { guarded.withLock { $0 } }
    func append(_ item: Element) { guarded.withLock { $0.append(item) } }
}

/// A subscriber that requests a demand at once, and records everything. It keeps its subscription.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private let demand: Subscribers.Demand
    private let onValue: (@Sendable (Recorder, Input) -> Void)?
    private let record = Lock(Record())

    private struct Record: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        var subscription: (any Subscription)?
        var values: [Input] = []
        var completions: [Subscribers.Completion<Failure>] = []
        var violations: [String] = []
    }

    init(_ demand: Subscribers.Demand = .unlimited, onValue: (@Sendable (Recorder, Input) -> Void)? = nil) {
        self.demand = demand
        self.onValue = onValue
    }

    var values: [Input] { record.withLock { $0.values } }
    var completions: [Subscribers.Completion<Failure>] { record.withLock { $0.completions } }
    var violations: [String] { record.withLock { $0.violations } }
    var isSubscribed: Bool { record.withLock { $0.subscription != nil } }
    var isFinished: Bool { record.withLock { $0.completions.count == 1 && $0.completions[0].error == nil } }
    var failure: Failure? { record.withLock { $0.completions.first?.error } }

    func cancel() { record.withLock { UncheckedTransfer($0.subscription) }.value?.cancel() }

    func request(_ demand: Subscribers.Demand) { record.withLock { UncheckedTransfer($0.subscription) }.value?.request(demand) }

    func receive(subscription: any Subscription) {
        let transfer = UncheckedTransfer(subscription)
        record.withLock { record in
            if record.subscription != nil { record.violations.append("a second subscription") }
            record.subscription = transfer.value
        }
        if demand != .none { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        record.withLock { record in
            if record.subscription == nil { record.violations.append("\(input) before the subscription") }
            if !record.completions.isEmpty { record.violations.append("\(input) after the completion") }
            record.values.append(input)
        }
        onValue?(self, input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        record.withLock { record in
            if record.subscription == nil { record.violations.append("\(completion) before the subscription") }
            if !record.completions.isEmpty { record.violations.append("a second completion: \(completion)") }
            record.completions.append(completion)
        }
    }
}

/// Virtual time that calls a closure each time it is read.
final class ObservedTime: Scheduler {
    typealias SchedulerOptions = Never
    let onLook = Lock<(@Sendable () -> Void)?>(nil)
    private let time: VirtualTimeScheduler

    init(_ time: VirtualTimeScheduler) { self.time = time }

    var now: TimePoint {
        onLook.withLock { $0 }?()
        return time.now
    }
    var minimumTolerance: TimeStride { 0 }
    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { time.schedule(action) }
    func schedule(after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void) {
        time.schedule(after: date, action)
    }
    func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { time.schedule(after: date, interval: interval, action) }
}

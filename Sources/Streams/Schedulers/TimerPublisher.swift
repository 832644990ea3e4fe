/// A publisher that, once connected, sends the scheduler's time at the end of each interval:
/// `TimerPublisher(every: .seconds(1), on: DispatchQueue.main).autoconnect()`.
///
/// A subscriber misses the ticks for which it has no demand. Each connection starts a separate timer. An interval of zero or
/// less is the shortest that the scheduler can distinguish from zero, a nanosecond, and the first tick is due at once. An
/// interval that is too long to be represented never ends (see ``Scheduler``).
public struct TimerPublisher<Context: Scheduler>: ConnectablePublisher, GrammaticalPublisher, @unchecked Sendable {
    // Sound: a subject and a scheduler may be used from any thread, and options are values.
    /// The time of a tick.
    public typealias Output = Context.SchedulerTimeType
    /// `Never`, as a timer does not fail.
    public typealias Failure = Never
    private let ticks = PassthroughSubject<Output, Never>()
    private let start: (@escaping @Sendable () -> Void) -> any Cancellable
    private let scheduler: Context

    /// Creates a publisher of the time at the end of each interval.
    ///
    /// - Parameters:
    ///   - interval: The time from one tick to the next.
    ///   - tolerance: The longest time by which a tick may be late; nil for the scheduler's smallest tolerance.
    ///   - scheduler: The scheduler whose time is used, and on which ticks are sent.
    ///   - options: The options of the scheduler.
    public init(
        every interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
        on scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
        self.scheduler = scheduler
        start = { scheduler.schedule(interval: interval, tolerance: tolerance, options: options, $0) }
    }

    /// Attaches a subscriber.
    public func receive(subscriber: some Subscriber<Output, Never>) { ticks.subscribe(subscriber) }

    /// Starts a timer.
    ///
    /// - Returns: A cancellable that stops the timer, also when it is released.
    public func connect() -> any Cancellable {
        let tick = UncheckedTransfer { [ticks, scheduler] in ticks.send(scheduler.now) }
        return AnyCancellable(start { tick.value() })
    }
}

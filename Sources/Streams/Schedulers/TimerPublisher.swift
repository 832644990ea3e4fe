/// A publisher that, once connected, sends the time at the end of each interval of a scheduler's time:
/// `TimerPublisher(every: .seconds(1), on: DispatchQueue.main).autoconnect()`.
///
/// A subscriber misses the ticks for which it has not asked. Each connection is a timer of its own. An interval of no time, or
/// less, is the shortest that the scheduler can tell from none, a nanosecond, and the first tick comes at once; one too long to be
/// counted never ends (see ``Scheduler``).
public struct TimerPublisher<Context: Scheduler>: ConnectablePublisher, GrammaticalPublisher, @unchecked Sendable {
    // Sound: a subject and a scheduler are made to be used from any thread, and options are values.
    /// The time of the tick.
    public typealias Output = Context.SchedulerTimeType
    /// It does not fail.
    public typealias Failure = Never
    private let ticks = PassthroughSubject<Output, Never>()
    private let start: (@escaping @Sendable () -> Void) -> any Cancellable
    private let scheduler: Context

    /// A publisher of the time at the end of each interval, which may vary by a tolerance: the scheduler's least, if nil.
    public init(
        every interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
        on scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
        self.scheduler = scheduler
        start = { scheduler.schedule(interval: interval, tolerance: tolerance, options: options, $0) }
    }

    /// Attaches a subscriber.
    public func receive(subscriber: some Subscriber<Output, Never>) { ticks.subscribe(subscriber) }

    /// Starts a timer; what is returned stops it, also when it is released.
    public func connect() -> any Cancellable {
        let tick = UncheckedTransfer { [ticks, scheduler] in ticks.send(scheduler.now) }
        return AnyCancellable(start { tick.value() })
    }
}

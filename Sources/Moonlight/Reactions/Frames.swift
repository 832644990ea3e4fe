import Streams

extension Publisher where Failure == Never {
    /// Sends at most one state per interval, for drawing.
    ///
    /// The first state is sent at once, then the newest at the end of each interval in which one arrived. The last state is
    /// always sent, at the latest before the completion.
    ///
    /// ```swift
    /// states.frames(every: .milliseconds(33), on: DispatchQueue.main).sink { draw($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two states, in the scheduler's stride.
    ///   - scheduler: The scheduler that measures the interval and delivers the states.
    /// - Returns: A publisher of states.
    public func frames<S: Scheduler>(
        every interval: S.SchedulerTimeType.Stride, on scheduler: S
    ) -> AnyPublisher<Output, Never> {
        throttle(for: interval, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    }
}

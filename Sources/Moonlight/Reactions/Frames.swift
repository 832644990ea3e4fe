import Streams

extension Publisher where Failure == Never {
    /// Sends at most one state an interval, for drawing: the first at once, then the newest at the end of each interval in
    /// which there was one. The last state is always sent, at the latest before the end.
    ///
    /// ```swift
    /// states.frames(every: .milliseconds(33), on: DispatchQueue.main).sink { draw($0) }
    /// ```
    /// - Parameters:
    ///   - interval: The time between two states, in the scheduler's stride.
    ///   - scheduler: What tells the time, and where states are sent.
    public func frames<S: Scheduler>(
        every interval: S.SchedulerTimeType.Stride, on scheduler: S
    ) -> AnyPublisher<Output, Never> {
        throttle(for: interval, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    }
}

import Dispatch

extension DispatchQueue: Scheduler {
    /// A point in the time of dispatch queues.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// A span in nanoseconds.
        public typealias Stride = TimeStride

        /// The point as Dispatch knows it.
        public var dispatchTime: DispatchTime

        /// A point in time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// The span to another point.
        public func distance(to other: Self) -> TimeStride {
            let (here, there) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return there >= here
                ? TimeStride(nanoseconds: Int(clamping: there - here))
                : TimeStride(nanoseconds: -Int(clamping: here - there))
        }

        /// The point after a span; far enough in the future it is never.
        public func advanced(by n: TimeStride) -> Self {
            let here = dispatchTime.uptimeNanoseconds
            if n.nanoseconds >= 0 {
                let (there, overflow) = here.addingReportingOverflow(UInt64(n.nanoseconds))
                return Self(overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: there))
            }
            let back = UInt64(n.nanoseconds.magnitude)
            return Self(DispatchTime(uptimeNanoseconds: here > back ? here - back : 1))
        }

        /// Hashes the point.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }

    /// What a closure may be scheduled with.
    public struct SchedulerOptions: @unchecked Sendable {
        // Sound: values all; Dispatch's flags are an option set that is not marked so.

        /// The quality of service.
        public var qos: DispatchQoS

        /// The work item's flags.
        public var flags: DispatchWorkItemFlags

        /// A group to run in.
        public var group: DispatchGroup?

        /// Options; each has Dispatch's default.
        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
        ) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The present.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    /// Zero.
    public var minimumTolerance: TimeStride { 0 }

    /// Runs a closure on this queue as soon as possible.
    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        async(
            group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], execute: action)
    }

    /// Runs a closure on this queue at a point in time.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        let group = options?.group
        group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
            action()
            group?.leave()
        }
    }

    /// Runs a closure on this queue at a point in time and then again after each interval, until cancelled.
    ///
    /// - Parameter interval: At least a nanosecond.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.schedule(
            deadline: date.dispatchTime, repeating: .nanoseconds(max(1, interval.nanoseconds)),
            leeway: .nanoseconds(max(0, tolerance.nanoseconds)))
        timer.setEventHandler(
            qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], handler: action)
        timer.activate()
        let source = UncheckedTransfer(timer)
        return AnyCancellable { source.value.cancel() }
    }
}

import Dispatch

extension DispatchQueue: Scheduler {
    /// A point in the time of dispatch queues.
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        /// A span in nanoseconds.
        public typealias Stride = TimeStride
        /// The point as Dispatch knows it.
        public var dispatchTime: DispatchTime

        /// A point in time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// Reads a point as its nanoseconds.
        public init(from decoder: any Decoder) throws {
            self.init(DispatchTime(uptimeNanoseconds: try decoder.singleValueContainer().decode(UInt64.self)))
        }

        /// Writes the point as its nanoseconds.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// The span to another point; as in Combine, the longest there is if it is too long, in whatever direction.
        public func distance(to other: Self) -> TimeStride {
            let (here, there) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            let length = Int(exactly: max(here, there) - min(here, there))
            return TimeStride(nanoseconds: length.map { there < here ? -$0 : $0 } ?? .max)
        }

        /// The point after a span; far enough in the future it is never, and never it stays.
        public func advanced(by n: TimeStride) -> Self {
            let (here, span) = (dispatchTime.uptimeNanoseconds, UInt64(n.nanoseconds.magnitude))
            if here > Int.max { return self }
            if n < 0 { return Self(DispatchTime(uptimeNanoseconds: here > span ? here - span : 1)) }
            let there = here + span
            return Self(there > Int.max ? .distantFuture : DispatchTime(uptimeNanoseconds: there))
        }

        /// Whether one point is before another. How far is not asked: too long a span has no direction.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime < rhs.dispatchTime }

        /// Hashes the point.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
    }

    /// What a closure may be scheduled with.
    public struct SchedulerOptions: @unchecked Sendable {
        // Sound: values all; Dispatch's flags are an option set that is not marked so.
        /// The quality of service; the work item's flags; a group to run in.
        public var qos: DispatchQoS, flags: DispatchWorkItemFlags, group: DispatchGroup?

        /// Options; each has Dispatch's default.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            (self.qos, self.flags, self.group) = (qos, flags, group)
        }
    }

    /// The present.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    /// Zero.
    public var minimumTolerance: TimeStride { 0 }

    /// Runs a closure on this queue as soon as possible.
    @preconcurrency public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], execute: action)
    }

    /// Runs a closure on this queue at a point in time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
        let group = options?.group
        group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
            action()
            group?.leave()
        }
    }

    /// Runs a closure on this queue at a point in time and then again after each interval, a nanosecond at least.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { timer(date, .nanoseconds(max(1, interval.nanoseconds)), tolerance, options, action) }

    /// Runs a closure on this queue once: as soon as possible or, unless it is taken back before, at a point in time.
    @preconcurrency public func schedule(
        once date: SchedulerTimeType?, tolerance: TimeStride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? {
        if let date { return timer(date, .never, tolerance ?? 0, options, group: options?.group, action) }
        schedule(options: options, action)
        return nil
    }

    private func timer(
        _ date: SchedulerTimeType, _ interval: DispatchTimeInterval, _ tolerance: TimeStride,
        _ options: SchedulerOptions?, group: DispatchGroup? = nil, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable {
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.schedule(deadline: date.dispatchTime, repeating: interval, leeway: max(0, tolerance).timeInterval)
        // A cancelled timer lets go of its handler when the queue turns: what the handler calls is let go of at once.
        let action = Lock(Optional(action))
        timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { action.withLock { $0 }?() }
        group?.enter()
        timer.setCancelHandler { group?.leave() }
        timer.activate()
        let source = UncheckedTransfer(timer)
        return AnyCancellable {
            source.value.cancel()
            discard(action.withLock { $0.take() })
        }
    }
}

extension TimeStride {
    /// A span as Dispatch has it; never is the longest there is.
    public init(_ interval: DispatchTimeInterval) {
        self =
            switch interval {
            case .seconds(let s): .seconds(s)
            case .milliseconds(let ms): .milliseconds(ms)
            case .microseconds(let us): .microseconds(us)
            case .nanoseconds(let ns): .nanoseconds(ns)
            default: .nanoseconds(.max)
            }
    }

    /// The span as Dispatch has it.
    public var timeInterval: DispatchTimeInterval { .nanoseconds(nanoseconds) }
}

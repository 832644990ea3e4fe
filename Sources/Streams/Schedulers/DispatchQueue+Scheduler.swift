import Dispatch

extension DispatchQueue: Scheduler {
    /// A point in the time of a dispatch queue.
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        /// A span of time in nanoseconds.
        public typealias Stride = TimeStride
        /// The point in time as a `DispatchTime`.
        public var dispatchTime: DispatchTime

        /// Creates a point in time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// Decodes a point in time from its nanoseconds.
        public init(from decoder: any Decoder) throws {
            self.init(DispatchTime(uptimeNanoseconds: try decoder.singleValueContainer().decode(UInt64.self)))
        }

        /// Encodes the point in time as its nanoseconds.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// Returns the distance to another point. As in Combine, a distance that is too long to be represented is the longest
        /// one, in either direction.
        public func distance(to other: Self) -> TimeStride {
            let length = Int128(other.dispatchTime.uptimeNanoseconds) - Int128(dispatchTime.uptimeNanoseconds)
            return TimeStride(nanoseconds: Int(exactly: length) ?? .max)
        }

        /// Returns the point that is a span away. A point that is too far in the future becomes `distantFuture`, and remains so.
        public func advanced(by n: TimeStride) -> Self {
            if dispatchTime.uptimeNanoseconds > Int.max { return self }
            let there = Int128(dispatchTime.uptimeNanoseconds) + Int128(n.nanoseconds)
            return Self(there > Int.max ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(max(1, there))))
        }

        /// Returns whether one point is before another. It does not compare their distance, which has no sign if it is too long.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime < rhs.dispatchTime }

        /// Hashes the point.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
    }

    /// The options of a scheduled closure.
    public struct SchedulerOptions: @unchecked Sendable {
        // Sound: a group is Sendable, and the rest are values; `DispatchWorkItemFlags` is an option set that is not marked
        // Sendable.
        /// The quality of service.
        public var qos: DispatchQoS
        /// The flags of the work item.
        public var flags: DispatchWorkItemFlags
        /// The group that the closure runs in.
        public var group: DispatchGroup?

        /// Creates options, which have the defaults of Dispatch.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The current time.
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

    /// Runs a closure on this queue at a point in time and then again after each interval, which is at least a nanosecond.
    ///
    /// - Returns: A cancellable that stops the timer.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { timer(date, .nanoseconds(max(1, interval.nanoseconds)), tolerance, options, action) }

    /// Runs a closure on this queue once, at a point in time or, without one, as soon as possible.
    ///
    /// - Returns: A token that cancels the closure, also when it is released; nil without a point in time, as the closure can
    ///   then not be cancelled.
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
        // A cancelled timer releases its handler only when the queue runs next. So the token removes the action itself, to
        // release it at once.
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
    /// Creates a span from a `DispatchTimeInterval`; `never` becomes the longest span.
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

    /// The span as a `DispatchTimeInterval`.
    public var timeInterval: DispatchTimeInterval { .nanoseconds(nanoseconds) }
}

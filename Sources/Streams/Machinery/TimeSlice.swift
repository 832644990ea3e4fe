import Dispatch

/// How long one who works for others goes on before the rest has its turn: a millisecond, looked at as seldom as that allows.
@usableFromInline package struct TimeSlice {
    #if SCHEDULES
        private var left = 2

        @usableFromInline package init() {}

        /// Counts one piece of work; returns whether it was the last of this slice.
        @usableFromInline package mutating func isOver() -> Bool {
            left -= 1
            return left == 0
        }
    #else
        private let end: UInt64
        private var last: UInt64
        /// The clock is looked at after so many pieces of work; and how many of them are left.
        private var (stride, left) = (1, 1)

        @usableFromInline package init() { self.init(now: DispatchTime.now().uptimeNanoseconds) }

        init(now: UInt64) { (last, end) = (now, now + Self.length) }

        /// In nanoseconds.
        static var length: UInt64 { 1_000_000 }

        /// Counts one piece of work; returns whether the time is up.
        @usableFromInline package mutating func isOver() -> Bool { isOver(at: DispatchTime.now().uptimeNanoseconds) }

        /// - Parameter now: The time in nanoseconds, if it is looked at: after at most a sixteenth of the slice, if the work goes on as
        ///   it has since the last look.
        mutating func isOver(at now: @autoclosure () -> UInt64) -> Bool {
            left -= 1
            guard left == 0 else { return false }
            let now = now()
            stride = now - last < Self.length / 32 ? min(stride * 2, 64) : max(stride / 2, 1)
            (last, left) = (now, stride)
            return now >= end
        }
    #endif
}

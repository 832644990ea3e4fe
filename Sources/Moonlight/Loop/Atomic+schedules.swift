#if SCHEDULES
    import Streams

    /// In a `SCHEDULES` build, whose tests force the order in which threads run, this module uses Streams' own atomics, too.
    @usableFromInline package typealias Atomic<Value: AtomicWord> = Streams.Atomic<Value>
#endif

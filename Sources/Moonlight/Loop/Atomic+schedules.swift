#if SCHEDULES
    import Streams

    /// In a build for schedules by force, this module's atomics are Streams' own, too.
    @usableFromInline package typealias Atomic<Value: AtomicWord> = Streams.Atomic<Value>
#endif

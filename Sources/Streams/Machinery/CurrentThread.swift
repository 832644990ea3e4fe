/// Returns a number that identifies the calling thread among the living threads.
///
/// Neither the standard library nor Dispatch identifies threads, and this module imports no platform library. But every platform
/// on which Swift has threads links `pthread_self`, which takes no argument and returns a word.
@usableFromInline package func currentThread() -> UInt { threadHandle() }

@_silgen_name("pthread_self")
private func threadHandle() -> UInt

/// Yields the processor to another thread, if one waits for it. `sched_yield` is as universal as `pthread_self`.
@usableFromInline package func offerProcessor() { _ = yieldProcessor() }

@_silgen_name("sched_yield")
private func yieldProcessor() -> Int32

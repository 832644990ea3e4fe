/// The thread that asks, as a number that no other living thread has. Neither the standard library nor Dispatch tells one thread
/// from another, and this module imports nothing of the platform's; but every platform that Swift runs threads on links
/// `pthread_self`, which takes nothing and returns a word.
@usableFromInline package func currentThread() -> UInt { threadHandle() }

@_silgen_name("pthread_self")
private func threadHandle() -> UInt

/// Lets another thread have the processor, if one waits for it. As much a part of every platform as `pthread_self`.
package func offerProcessor() { _ = yieldProcessor() }

@_silgen_name("sched_yield")
private func yieldProcessor() -> Int32

// The functions of the C library that this module needs. Only this file imports it, by its name on each platform.
#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    #error("Moonlight runs on Apple's systems, and on Linux with glibc or musl: see Documentation/Platforms.md")
#endif

/// Returns a number that identifies the calling thread among the living threads.
@usableFromInline package func currentThread() -> UInt {
    #if canImport(Glibc)
        pthread_self()
    #else
        // A pointer, or on Android a signed number.
        UInt(bitPattern: pthread_self())
    #endif
}

/// Yields the processor to another thread, if one is waiting.
@usableFromInline package func yieldThread() { _ = sched_yield() }

/// Writes a line to standard error: a warning that no API reports to the program.
package func printWarning(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Raises the signal that stops a program in its debugger, and terminates it if there is none.
func raiseTrap() { _ = raise(SIGTRAP) }

/// A thread-specific word, which is nil at first.
struct ThreadWord: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        // Apart from the check, whose condition is not evaluated with `-Ounchecked`.
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "pthread_key_create failed: too many thread-specific keys")
        self.key = key
    }

    var pointer: UnsafeMutableRawPointer? {
        get { pthread_getspecific(key) }
        nonmutating set { pthread_setspecific(key, newValue) }
    }
}

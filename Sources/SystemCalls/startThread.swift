#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a closure on a new thread, with the stack of a main thread and an alternate stack for signals.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Views and reducers may be deeply nested, or recursive.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    // A number in glibc, a pointer elsewhere.
    #if canImport(Glibc)
        var thread = pthread_t()
    #else
        var thread: pthread_t?
    #endif
    let result = pthread_create(&thread, &attributes, { start(threadArgument($0)) }, box)
    precondition(result == 0, "cannot start a thread: \(reason(ofError: result))")
    pthread_attr_destroy(&attributes)
}

#if canImport(Darwin)
    private typealias Raw = UnsafeMutableRawPointer
#else
    private typealias Raw = UnsafeMutableRawPointer?
#endif

private func threadArgument(_ raw: Raw) -> UnsafeMutableRawPointer? { raw }

private final class ThreadBody {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func start(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    // An alternate signal stack, so that the terminal is restored even if this thread's stack overflows.
    let size = 1 << 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = numericCast(size)
    setSignalStack(&stack)
    Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
    stack.ss_flags = Int32(SS_DISABLE)
    setSignalStack(&stack)
    memory.deallocate()
    return nil
}

private func setSignalStack(_ stack: inout stack_t) {
    #if !os(tvOS) && !os(watchOS)
        sigaltstack(&stack, nil)
    #endif
}

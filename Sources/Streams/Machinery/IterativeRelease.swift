/// Releases long chains of erased publishers, erased subscribers and nested cancellables without deep recursion.
///
/// Swift would release a chain of a hundred thousand boxes in a hundred thousand nested calls. So a `deinit` that is nested too
/// deeply queues the content of its box for the outermost one, which releases it in a loop.
@usableFromInline enum IterativeRelease {
    /// The nesting allowed: a small part of the smallest stack.
    private static var limit: Int { 100 }

    /// The number of calls of ``end(_:setAside:)`` that the thread is inside.
    private static let depth = ThreadWord()
    /// The thread's ``Contents``, from the first that is queued until the outermost call returns.
    private static let queued = ThreadWord()

    /// The contents that a thread has queued.
    private final class Contents {
        var items: [Any] = []
    }

    /// Releases the content of a box: now, or later if the nesting is too deep.
    ///
    /// - Parameters:
    ///   - release: Releases the content.
    ///   - content: Returns the content, to be released by the outermost call.
    @usableFromInline static func end(_ release: () -> Void, setAside content: () -> Any) {
        let before = depth.pointer
        let nesting = Int(bitPattern: before)
        if nesting >= limit { return queue(content()) }
        depth.pointer = UnsafeMutableRawPointer(bitPattern: nesting + 1)
        release()
        if nesting == 0, let queued = queued.pointer { releaseAll(.fromOpaque(queued)) }
        depth.pointer = before
    }

    private static func queue(_ content: Any) {
        if let queued = queued.pointer {
            return Unmanaged<Contents>.fromOpaque(queued).takeUnretainedValue().items.append(content)
        }
        let contents = Contents()
        contents.items.append(content)
        queued.pointer = Unmanaged.passRetained(contents).toOpaque()
    }

    /// Releases what is queued, and what is queued meanwhile.
    @inline(never) private static func releaseAll(_ contents: Unmanaged<Contents>) {
        while let item = contents._withUnsafeGuaranteedRef({ $0.items.popLast() }) { discard(item) }
        queued.pointer = nil
        contents.release()
    }
}

/// Releases long chains of erased publishers, erased subscribers and nested cancellables without deep recursion.
///
/// Swift would release a chain of a hundred thousand boxes in a hundred thousand nested calls. So a `deinit` that is nested too
/// deeply queues the content of its box for the outermost one, which releases it in a loop.
@usableFromInline enum IterativeRelease {
    /// The allowed nesting: a small part of the smallest stack.
    private static var limit: Int { 100 }

    /// The thread's ``Nest``, on the stack of the outermost call; nil outside all calls.
    private static let word = ThreadWord()

    /// The calls of ``end(_:setAside:)`` that a thread is inside.
    private struct Nest {
        var depth = 1
        /// The queued contents; nil if there were none.
        var contents: [Any]?
    }

    /// Releases the content of a box: now, or later if the nesting is too deep.
    ///
    /// - Parameters:
    ///   - release: Releases the content.
    ///   - content: Returns the content, to be released by the outermost call.
    @usableFromInline static func end(_ release: () -> Void, setAside content: () -> Any) {
        let word = word
        if let outermost = word.pointer?.assumingMemoryBound(to: Nest.self) {
            if outermost.pointee.depth >= limit { return queue(content(), in: outermost) }
            outermost.pointee.depth += 1
            release()
            outermost.pointee.depth -= 1
            return
        }
        var nest = Nest()
        withUnsafeMutablePointer(to: &nest) { nest in
            word.pointer = UnsafeMutableRawPointer(nest)
            release()
            if nest.pointee.contents != nil { releaseAll(in: nest) }
            word.pointer = nil
        }
    }

    @inline(never) private static func queue(_ content: Any, in nest: UnsafeMutablePointer<Nest>) {
        if nest.pointee.contents == nil { nest.pointee.contents = [] }
        nest.pointee.contents?.append(content)
    }

    /// Releases the queued contents, including those that are queued meanwhile.
    @inline(never) private static func releaseAll(in nest: UnsafeMutablePointer<Nest>) {
        while let content = nest.pointee.contents?.popLast() { discard(content) }
    }
}

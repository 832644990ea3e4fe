#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeBufferPointer<Cell> {
    /// Whether cells are the same as others of the same number.
    @inline(__always)
    func isSameMemory(as other: UnsafeBufferPointer<Cell>) -> Bool {
        assert(count == other.count)
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count * MemoryLayout<Cell>.stride) == 0
    }
}

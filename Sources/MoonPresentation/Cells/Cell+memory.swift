extension UnsafeBufferPointer<Cell> {
    /// Whether cells are the same as others of the same number, 16 bytes at a time.
    @inline(__always)
    func isSameMemory(as other: UnsafeBufferPointer<Cell>) -> Bool {
        assert(count == other.count)
        let (one, two) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var difference = SIMD2<UInt64>.zero
        // Without an early end, the loop is compiled to vector instructions.
        for offset in stride(from: 0, to: one.count, by: 16) {
            difference |=
                one.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
                ^ two.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        }
        return difference == .zero
    }
}

/// Consumes results so that each must be computed, in order. A plain sum could be computed without a loop.
@inline(__always)
func mix(_ value: Int, into total: UnsafeMutablePointer<Int>) { total.pointee = (total.pointee &* 31) ^ value }

/// What consumes results: each must have been made, and in order. A sum of them would be found without a loop.
@inline(__always)
func mix(_ value: Int, into total: UnsafeMutablePointer<Int>) { total.pointee = (total.pointee &* 31) ^ value }

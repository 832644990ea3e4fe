#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Compares values by their bytes, and not by `==`, which considers texts in two forms of Unicode as equal, and may ignore
/// properties.
///
/// Values that exist at the same time and have the same bytes share their storage, and are identical. Values with different bytes
/// may still be equal.
enum SameBytes {
    static func areSame(_ one: Any, _ other: Any) -> Bool {
        guard type(of: one) == type(of: other) else { return false }
        func compare<Value>(_ one: Value) -> Bool { (other as? Value).map { areSame(one, as: $0) } ?? false }
        return _openExistential(one, do: compare)
    }

    static func areSame<Value>(_ one: Value, as other: Value) -> Bool {
        withUnsafeBytes(of: one) { one in withUnsafeBytes(of: other) { other in areSame(one, other, one.count) } }
    }

    private static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, _ count: Int) -> Bool {
        guard count > 0, let one = one.baseAddress, let other = other.baseAddress else { return true }
        return one == other || memcmp(one, other, count) == 0
    }

    /// Returns the range of elements of an array that differ from those of an older one, apart from insertions and removals
    /// before and after it.
    static func changed<Element>(_ new: [Element], since old: [Element]) -> Range<Int> {
        new.withUnsafeBufferPointer { new in
            old.withUnsafeBufferPointer { old in
                let (size, shorter) = (MemoryLayout<Element>.stride, min(new.count, old.count))
                guard size > 0, shorter > 0, let newBase = new.baseAddress, let oldBase = old.baseAddress else {
                    return 0..<new.count
                }
                let (newBytes, oldBytes) = (UnsafeRawPointer(newBase), UnsafeRawPointer(oldBase))
                // Returns the number of equal elements, by halves: each byte is compared twice at most.
                func same(_ count: Int, _ place: (_ done: Int, _ more: Int) -> (new: Int, old: Int)) -> Int {
                    var (done, rest) = (0, count)
                    while rest > 0 {
                        let half = (rest + 1) / 2
                        let (a, b) = place(done, half)
                        if memcmp(newBytes + a * size, oldBytes + b * size, half * size) == 0 {
                            done += half
                            rest -= half
                        } else {
                            if half == 1 { break }
                            rest = half
                        }
                    }
                    return done
                }
                let start = same(shorter) { done, _ in (done, done) }
                let tail = same(shorter - start) { done, more in (new.count - done - more, old.count - done - more) }
                return start..<new.count - tail
            }
        }
    }
}

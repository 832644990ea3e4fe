/// Runs a closure while some memory is taken, so that what it allocates lies at other addresses than what was released before.
///
/// The order of a `Set` depends on the address of its storage. When something is tried twice in a row, the allocator would hand out the
/// same addresses again, and a program that depends on that order would look deterministic.
func withOtherAddresses<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // A block of each small size, and some large ones: allocators keep what is released by its size.
    let sizes = Array(stride(from: 16, through: 1024, by: 16)) + (11...16).map { 1 << $0 }
    let blocks = sizes.map { UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16) }
    defer { for block in blocks { block.deallocate() } }
    return try body()
}

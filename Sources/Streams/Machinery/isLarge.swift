/// Returns whether a value is so large that copying it costs more than looking up types at run time. As measured, that begins at 2
/// to 4 KB.
///
/// A function and not a property of a generic type, which a debug build would look up for each call.
@inlinable @inline(__always) package func isLarge<Value>(_: Value.Type) -> Bool { MemoryLayout<Value>.size > 2048 }

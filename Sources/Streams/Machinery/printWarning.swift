/// Writes a line on the standard error: something is wrong that no program asks about.
package func printWarning(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { _ = writeBytes(2, $0.baseAddress, $0.count) }
}

/// As much a part of every platform as `pthread_self`: see `currentThread`.
@_silgen_name("write")
private func writeBytes(_ file: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int

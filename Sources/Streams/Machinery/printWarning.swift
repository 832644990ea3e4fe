/// Writes a line to standard error: a warning that no API reports to the program.
package func printWarning(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { _ = writeBytes(2, $0.baseAddress, $0.count) }
}

/// `write`, which every platform links, like `pthread_self`: see `currentThread()`.
@_silgen_name("write")
private func writeBytes(_ file: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int

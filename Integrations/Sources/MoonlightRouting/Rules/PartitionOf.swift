/// The partition of an id, which never changes, and is the same on every machine.
package func partition(of id: String, among count: Int) -> Int {
    // FNV-1a, of 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(hash % UInt64(count))
}

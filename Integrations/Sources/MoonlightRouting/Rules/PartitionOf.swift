/// Returns the partition of an id, which is stable and the same on every machine.
package func partition(of id: String, among count: Int) -> Int {
    // 64-bit FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(hash % UInt64(count))
}

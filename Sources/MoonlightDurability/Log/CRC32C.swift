/// The checksum CRC-32C (Castagnoli). It detects all errors of up to five bits in a record of up to 655 bytes, all bursts of up to 32
/// bits, and all but one in four billion of other errors.
struct CRC32C {
    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of the bytes so far.
    var value: UInt32 { ~state }

    /// Adds bytes, eight at a time: `tables[k]` advances a byte over `k` zero bytes that follow it.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var state = state
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(state)
                state = 0
                for byte in 0..<8 { state ^= tables[(7 - byte) * 256 + Int(word >> (8 * UInt64(byte)) & 0xFF)] }
                offset += 8
            }
            while offset < bytes.count {
                state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[offset])) & 0xFF)]
                offset += 1
            }
            self.state = state
        }
    }

    /// Returns the checksum of bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = CRC32C()
        if bytes.withContiguousStorageIfAvailable({ checksum.add(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { checksum.add($0) }
        }
        return checksum.value
    }

    /// Returns the checksum of bytes without the four at an offset, where the checksum itself is.
    static func of(_ bytes: UnsafeRawBufferPointer, withoutFieldAt offset: Int) -> UInt32 {
        var checksum = CRC32C()
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<offset]))
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)...]))
        return checksum.value
    }

    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0x82F6_3B78 }
            tables[byte] = remainder
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()
}

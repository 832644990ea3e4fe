/// The format of a snapshot in a file: a header of 56 bytes, and the payload.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 8 | `moonsnap` |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the checksum of everything else |
/// | 16 | 8 | the identity of the log |
/// | 24 | 8 | the last record that it includes |
/// | 32 | 12 | the versions of effects, state and reducer |
/// | 44 | 4 | 0 |
/// | 48 | 8 | the number of bytes of the payload |
enum SnapshotFormat {
    static let headerSize = 56
    static let format: UInt32 = 1
    private static let magic = Array("moonsnap".utf8)

    static func bytes(_ snapshot: LogSnapshot, identity: UInt64) -> [UInt8] {
        var head = ByteWriter(bytes: magic)
        head.bytes.reserveCapacity(headerSize + snapshot.payload.count)
        head.add(format)
        head.add(UInt32(0))
        head.add(identity)
        head.add(snapshot.sequence)
        head.add(snapshot.versions.effects)
        head.add(snapshot.versions.state)
        head.add(snapshot.versions.reducer)
        head.add(UInt32(0))
        head.add(UInt64(snapshot.payload.count))
        head.bytes.append(contentsOf: snapshot.payload)
        let checksum = checksum(head.bytes)
        withUnsafeBytes(of: checksum.littleEndian) { head.bytes.replaceSubrange(12..<16, with: $0) }
        return head.bytes
    }

    /// Reads a snapshot; nil if it is damaged, or of another log or format.
    static func snapshot(_ bytes: [UInt8], identity: UInt64?) -> LogSnapshot? {
        guard bytes.count >= headerSize, bytes.starts(with: magic) else { return nil }
        var reader = ByteReader(bytes[8...])
        guard let format: UInt32 = reader.number(), format == Self.format, let checksum: UInt32 = reader.number(),
            checksum == self.checksum(bytes), let owner: UInt64 = reader.number(), identity == nil || owner == identity,
            let sequence: UInt64 = reader.number(), let effects: UInt32 = reader.number(), let state: UInt32 = reader.number(),
            let reducer: UInt32 = reader.number(), reader.number(UInt32.self) != nil,
            let count: UInt64 = reader.number(), count == UInt64(bytes.count - headerSize)
        else { return nil }
        return LogSnapshot(
            sequence: sequence, versions: .init(effects: effects, state: state, reducer: reducer),
            payload: Array(bytes[headerSize...]))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { CRC32C.of($0, withoutFieldAt: 12) }
    }
}

/// The encoded results of a turn: the payload of its record.
///
/// An effect is encoded before it is applied, so that an unwritable one is refused before the state depends on it. Space is
/// reserved for entries that cannot be refused, such as the end of work.
struct TurnPayload: Sendable {
    private var writer = ByteWriter()
    /// The end of the confirmed entries. An effect behind it has not been applied.
    private var end: UInt32 = 0
    private let largest: UInt32
    /// The number of reserved bytes.
    private var kept = Self.leastKept

    /// The space for a follow-up, the end of a stream, and an answer without its key, reason and reading.
    private static let leastKept: UInt32 = 64

    /// - Parameter largest: The maximum size of a record's payload in bytes.
    init(largest: Int) { self.largest = UInt32(clamping: largest) }

    /// True if the turn has no entries so far.
    var isEmpty: Bool { end == 0 }

    /// The maximum size of the reason or the reading in the answer to a key, in bytes.
    var roomForAnswer: Int { max(Int(largest) - Int(end) - Int(kept), 0) }

    /// Reserves space for the answer to a key.
    ///
    /// - Throws: An error if the key takes more than half of a record.
    mutating func keepRoom(for key: String) throws(DurabilityError) {
        let count = key.utf8.count
        guard count <= largest / 2 else { throw .unwritable("the key has \(count) bytes, and a record of the log \(largest)") }
        kept = Self.leastKept + UInt32(count)
    }

    /// Reserves space for the ends of work that is not retried.
    mutating func keepRoom(forEndsOf count: Int) { kept = Self.leastKept + UInt32(count * ByteWriter.endOfWorkSize) }

    /// Adds an effect that is about to be applied. It is dropped unless ``noteApplied()`` confirms it.
    mutating func prepare(effect: [UInt8]) throws(DurabilityError) {
        drop()
        try check(effect.count)
        writer.add(effect: effect)
    }

    mutating func noteApplied() { end = UInt32(writer.bytes.count) }

    /// Adds the beginning of work, and reserves space for its end.
    mutating func add(work: [UInt8]) throws(DurabilityError) {
        drop()
        try check(work.count + ByteWriter.endOfWorkSize)
        writer.add(work: work)
        kept += UInt32(ByteWriter.endOfWorkSize)
        noteApplied()
    }

    /// Adds an entry with reserved space.
    mutating func add(_ add: (inout ByteWriter) -> Void) {
        drop()
        add(&writer)
        noteApplied()
    }

    /// Returns the payload, and begins the next one.
    mutating func take() -> [UInt8] {
        drop()
        defer { (writer, end, kept) = (ByteWriter(), 0, Self.leastKept) }
        return writer.bytes
    }

    private mutating func drop() { writer.bytes.removeLast(writer.bytes.count - Int(end)) }

    private func check(_ count: Int) throws(DurabilityError) {
        guard count <= Int(largest) - Int(end) - Int(kept) - ByteWriter.entryHeaderSize else {
            let rest = isEmpty ? "" : ", and the turn has \(end) already"
            throw .unwritable("it has \(count) bytes, and a record of the log at most \(largest)\(rest)")
        }
    }
}

/// What a turn of a loop has led to, encoded as the payload of its record.
///
/// An effect is encoded before it is applied, so that one that the log cannot have is refused, and not found out when the state already
/// depends on it. What cannot be refused any more, such as the end of work, always has room: it is kept free.
struct TurnPayload: Sendable {
    private var writer = ByteWriter()
    /// Where what has happened ends. What is behind it is an effect that has not been applied.
    private var end: UInt32 = 0
    private let largest: UInt32
    /// How many bytes are kept free.
    private var kept = Self.leastKept

    /// An event that follows, the end of work that is not taken up again, and an answer without its key, reason and reading.
    private static let leastKept: UInt32 = 64

    /// - Parameter largest: The most bytes that the payload of a record may have.
    init(largest: Int) { self.largest = UInt32(clamping: largest) }

    /// Whether the turn has led to nothing so far.
    var isEmpty: Bool { end == 0 }

    /// How many bytes the reason or the reading in the answer to a key may have.
    var roomForAnswer: Int { max(Int(largest) - Int(end) - Int(kept), 0) }

    /// Keeps room for the answer to a key.
    ///
    /// - Throws: If the key is so long that the log has little room for anything else.
    mutating func keepRoom(for key: String) throws(DurabilityError) {
        let count = key.utf8.count
        guard count <= largest / 2 else { throw .unwritable("the key has \(count) bytes, and a record of the log \(largest)") }
        kept = Self.leastKept + UInt32(count)
    }

    /// Adds an effect that is about to be applied; ``noteApplied()`` confirms it. One that is not confirmed is dropped.
    mutating func prepare(effect: [UInt8]) throws(DurabilityError) {
        drop()
        try check(effect.count)
        writer.add(effect: effect)
    }

    mutating func noteApplied() { end = UInt32(writer.bytes.count) }

    /// Adds the beginning of work, and keeps room for its end.
    mutating func add(work: [UInt8]) throws(DurabilityError) {
        drop()
        try check(work.count + ByteWriter.endOfWorkSize)
        writer.add(work: work)
        kept += UInt32(ByteWriter.endOfWorkSize)
        noteApplied()
    }

    /// Adds something for which room was kept.
    mutating func add(_ add: (inout ByteWriter) -> Void) {
        drop()
        add(&writer)
        noteApplied()
    }

    /// Returns the payload, and begins that of the next turn.
    mutating func take() -> [UInt8] {
        drop()
        defer { (writer, end, kept) = (ByteWriter(), 0, Self.leastKept) }
        return writer.bytes
    }

    private mutating func drop() { writer.bytes.removeLast(writer.bytes.count - Int(end)) }

    private func check(_ count: Int) throws(DurabilityError) {
        guard count <= Int(largest) - Int(end) - Int(kept) - ByteWriter.entryHeaderSize else {
            let rest = isEmpty ? "" : ", and what the event has led to before \(end)"
            throw .unwritable("it has \(count) bytes, a record of the log at most \(largest)\(rest)")
        }
    }
}

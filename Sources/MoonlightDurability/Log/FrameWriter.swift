/// Writes frames to the newest segment of a log. Each call blocks the caller's thread until it is done.
///
/// Power may be lost at any time, because of five rules:
/// - A segment gets its name when it is complete and synced, and the folder is synced then.
/// - A segment is begun only when the one before it is synced up to where the new one begins.
/// - When a segment has its name, the one before it is marked: see ``LogFrame/successorMark(at:)``. A log without its newest
///   segment is therefore not taken for a shorter one.
/// - A frame contains the position up to which everything was synced when it was written: see ``FrameReader/isProvenDamaged()``.
/// - After a failure, nothing is written behind the failed bytes. ``mend(adding:)`` continues the log in a new segment at the position up
///   to which it is synced, with the frames that were acknowledged and not synced. Bytes of the old segment behind that position are never
///   read.
final class FrameWriter {
    private let folder: LogFolder
    private let segmentSize: UInt64
    /// Called with each segment that is begun.
    private let noteSegment: (LogSegment) -> Void
    /// The segment that is being written.
    private(set) var segment: LogSegment
    /// The position behind the last frame that was written.
    private(set) var end: UInt64
    /// The position up to which everything is synced.
    private(set) var synced: UInt64
    /// The bytes between these two.
    private var unsynced: [UInt8] = []
    /// True if bytes behind ``end`` may be those of a failed write.
    private(set) var hasFailed = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - folder: The folder of the log.
    ///   - segmentSize: The number of bytes after which another segment is begun.
    ///   - segment: The newest segment, open for writing.
    ///   - end: The position behind its last frame. Everything before is synced.
    ///   - noteSegment: Called with each segment that is begun.
    init(
        _ folder: LogFolder, segmentSize: Int, _ segment: LogSegment, end: UInt64,
        noteSegment: @escaping (LogSegment) -> Void = { _ in }
    ) {
        self.folder = folder
        self.segmentSize = UInt64(segmentSize)
        self.noteSegment = noteSegment
        self.segment = segment
        self.end = end
        synced = end
    }

    /// Writes frames at the end. After a failure, only ``mend(adding:)`` may be called.
    func write(_ frames: [UInt8], synced isSynced: Bool) throws(DurabilityError) {
        try guarding { () throws(DurabilityError) in
            if end - segment.first > segmentSize { try rollSegment() }
            try segment.file.write(frames, at: segment.offset(of: end))
            if isSynced { try segment.file.sync() }
        }
        end += UInt64(frames.count)
        if isSynced { noteSynced() } else { unsynced += frames }
    }

    func sync() throws(DurabilityError) { try guarding { () throws(DurabilityError) in try syncSegment() } }

    /// Begins a new segment, unless the present one is empty.
    func roll() throws(DurabilityError) {
        if end == segment.first { return }
        try guarding { () throws(DurabilityError) in try rollSegment() }
    }

    /// Resumes after a failure in a new segment.
    ///
    /// - Parameter frames: Frames that are written with those that were not synced.
    func mend(adding frames: [UInt8] = []) throws(DurabilityError) {
        let old = segment
        begin(try folder.makeSegment(synced, identity: segment.identity ?? 0, frames: unsynced + frames))
        // The old file may be the one that fails. The next opening of the log marks it again.
        try? old.mark(followedBy: synced)
        end += UInt64(frames.count)
        noteSynced()
        hasFailed = false
    }

    private func guarding(_ body: () throws(DurabilityError) -> Void) throws(DurabilityError) {
        do throws(DurabilityError) { try body() } catch {
            hasFailed = true
            throw error
        }
    }

    private func noteSynced() {
        synced = end
        unsynced = []
    }

    private func syncSegment() throws(DurabilityError) {
        if synced == end { return }
        try segment.file.sync()
        noteSynced()
    }

    private func rollSegment() throws(DurabilityError) {
        try syncSegment()
        let new = try folder.makeSegment(end, identity: segment.identity ?? 0)
        try segment.mark(followedBy: end)
        begin(new)
    }

    private func begin(_ new: LogSegment) {
        segment = new
        noteSegment(new)
    }
}

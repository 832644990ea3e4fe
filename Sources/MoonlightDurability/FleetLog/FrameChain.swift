import Moonlight

/// The frames of a member's log, from the newest back to the base.
struct FrameChain {
    /// The newest frame.
    let newest: LogFrame
    let log: MemberLog

    /// Reads a chain.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - newest: The position of its newest frame.
    ///   - base: The position of its base.
    ///   - segments: The segments of the log.
    init(of id: String, from newest: UInt64, to base: UInt64, in segments: [LogSegment]) throws {
        var frames = [try Self.frame(at: newest, of: id, in: segments)]
        while let frame = frames.last, let previous = frame.previous {
            guard previous < frame.position, previous >= base else {
                throw Self.damage(frame.position, segments, "the chain of \(id) is broken")
            }
            frames.append(try Self.frame(at: previous, of: id, in: segments))
        }
        let first = frames[frames.count - 1]
        var records: [LogRecord] = []
        var last = first.log.snapshot?.sequence ?? 0
        for frame in frames.reversed() {
            for record in frame.log.records {
                guard record.sequence == last + 1 else {
                    throw Self.damage(frame.position, segments, "a record of \(id) is missing")
                }
                last = record.sequence
                records.append(record)
            }
            guard last == frame.last else { throw Self.damage(frame.position, segments, "a record of \(id) is missing") }
        }
        self.newest = frames[0]
        log = MemberLog(snapshot: first.log.snapshot, records: records)
    }

    private static func frame(at position: UInt64, of id: String, in segments: [LogSegment]) throws -> LogFrame {
        guard let segment = segments.segment(of: position) else { throw damage(position, segments, "its segment is missing") }
        let offset = segment.offset(of: position)
        // One call reads most frames.
        var bytes = try segment.file.read(1024, at: offset)
        if bytes.count >= LogFrame.headerSize {
            let header = bytes.withUnsafeBytes { LogFrame.Header($0, at: 0) }
            if header.isPossible, header.size > bytes.count, header.size <= LogFrame.largestSize {
                bytes = try segment.file.read(header.size, at: offset)
            }
        }
        guard let frame = LogFrame(bytes[...], position: position) else {
            throw damage(position, segments, "the frame of \(id) is not intact")
        }
        guard ExactText(frame.id) == ExactText(id) else {
            throw damage(position, segments, "it is a frame of \(frame.id), and not of \(id)")
        }
        return frame
    }

    private static func damage(_ position: UInt64, _ segments: [LogSegment], _ reason: String) -> DurabilityError {
        segments.segment(of: position)?.damage(at: position, reason) ?? .damaged(file: "", offset: 0, reason: reason)
    }
}

/// A stored recording: the header, and segments.
struct Archive: Sendable {
    var header: RecordingHeader
    var segments: [Segment] = []
    /// The byte at which a file is truncated; nil if it ends with a complete frame.
    var cut: Int?

    init(_ header: RecordingHeader) { self.header = header }

    /// The numbers of the kept steps; nil if there are none.
    var numbers: ClosedRange<Int>? {
        guard let first = segments.first(where: { $0.count > 0 }), let last = segments.last(where: { $0.count > 0 }) else {
            return nil
        }
        return first.first...(last.first + last.count - 1)
    }

    /// The number of steps that are missing between the first and the last.
    var lost: Int { (numbers?.count ?? 0) - segments.reduce(0) { $0 + $1.count } }

    /// The approximate size of the kept steps in bytes.
    var size: Int { segments.reduce(0) { $0 + $1.size } }

    /// The whole recording as bytes.
    func bytes() -> [UInt8] {
        var file = RecordingFormat.magic + [RecordingFormat.version]
        RecordingFormat.add(header.content, to: &file)
        for segment in segments {
            RecordingFormat.add(segment.head(texts: segment.texts.count), to: &file)
            if let steps = segment.tail(from: (segment.texts.count, 0, 0)) { RecordingFormat.add(steps, to: &file) }
        }
        return file
    }

    /// Reads a recording. An incomplete last frame, written by a program that was killed, is ignored.
    init(_ bytes: [UInt8], limits: RecordingLimits) throws(RecordingError) {
        guard bytes.count <= limits.file else { throw .tooLarge(what: "the file", size: bytes.count, limit: limits.file) }
        var frames = FrameReader(limits: limits)
        try frames.read(bytes[...])
        self = try frames.archive(size: bytes.count)
    }

    /// Returns the number of the kept step at a place, from 0.
    func number(at place: Int) -> Int {
        var place = place
        for segment in segments {
            if place < segment.count { return segment.first + place }
            place -= segment.count
        }
        preconditionFailure("there are fewer steps")
    }

    /// Returns the index of the segment that has a step; nil if the step is not kept.
    func segment(with number: Int) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].first <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

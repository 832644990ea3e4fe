/// A recording as it is kept: the header, and segments.
struct Archive: Sendable {
    var header: RecordingHeader
    var segments: [Segment] = []
    /// The byte at which a file was cut off; nil if it ends with a whole frame.
    var cut: Int?

    init(_ header: RecordingHeader) { self.header = header }

    /// The numbers of the steps that are kept; nil if there are none.
    var numbers: ClosedRange<Int>? {
        guard let first = segments.first(where: { $0.count > 0 }), let last = segments.last(where: { $0.count > 0 }) else {
            return nil
        }
        return first.first...(last.first + last.count - 1)
    }

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

    /// Reads a recording. A last frame that is not whole, because the program that wrote it was cut off, is left out.
    init(_ bytes: [UInt8], limits: RecordingLimits) throws(RecordingError) {
        guard bytes.count <= limits.file else { throw .tooLarge(what: "the file", size: bytes.count, limit: limits.file) }
        let magic = RecordingFormat.magic
        guard bytes.count > magic.count, bytes.starts(with: magic) else {
            throw .notARecording(
                reason: bytes.isEmpty ? "it is empty" : "it does not begin with \(String(decoding: magic, as: UTF8.self))")
        }
        guard bytes[magic.count] == RecordingFormat.version else { throw .unknownVersion(bytes[magic.count]) }
        var header: RecordingHeader?
        var place = magic.count + 1
        while place < bytes.count {
            guard bytes.count - place >= 12 else { break }
            let (length, sum) = bytes.withUnsafeBytes { bytes in
                (
                    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))),
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt64.self))
                )
            }
            guard length <= limits.frame else {
                throw .tooLarge(what: "the frame at byte \(place)", size: length, limit: limits.frame)
            }
            guard bytes.count - place - 12 >= length else { break }
            let content = bytes[(place + 12)..<(place + 12 + length)]
            guard Checksum.of(content) == sum else { throw .damaged(byte: place, reason: "the checksum of a frame is wrong") }
            var source = ByteSource(content, at: place + 12)
            switch (try source.byte(), header == nil) {
            case (RecordingFormat.Frame.header, true): header = try RecordingHeader(&source)
            case (RecordingFormat.Frame.segment, false):
                let segment = try Segment(&source)
                if let last = segments.last, segment.first < last.first + last.count {
                    throw .damaged(byte: place, reason: "step \(segment.first) comes twice")
                }
                segments.append(segment)
            case (RecordingFormat.Frame.steps, false) where !segments.isEmpty: try segments[segments.count - 1].append(&source)
            default: throw .damaged(byte: place, reason: "a frame stands where it cannot stand")
            }
            guard source.isAtEnd else { throw source.damaged("a frame goes on behind its end") }
            place += 12 + length
        }
        guard let header else { throw .notARecording(reason: "it was cut off before its header was written") }
        self.header = header
        cut = place < bytes.count ? place : nil
        let texts = segments.reduce(0) { $0 + $1.texts.count }
        guard texts <= RecordingFormat.mostTextsInAll else {
            throw .tooLarge(what: "the list of texts", size: texts, limit: RecordingFormat.mostTextsInAll)
        }
        let last = segments.last?.first
        segments.removeAll { $0.count == 0 && $0.first != last }
    }

    /// Returns the place of the segment that has a step; nil if the step is not kept.
    func segment(with number: Int) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].first <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

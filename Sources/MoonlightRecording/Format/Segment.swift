import Moonlight

/// Consecutive steps, with the state before the first of them. Each segment can be read separately.
struct Segment: Sendable {
    /// The number of the first step.
    let first: Int
    /// The nanoseconds between the beginnings of the recording and of the segment.
    let time: Int
    /// The number of steps.
    private(set) var count = 0
    /// The texts that the steps refer to by their index in this list.
    private(set) var texts: [String] = []
    /// The index of each text; that of the last one if redaction has made several the same.
    private var places: [ExactText: Int] = [:]
    /// The state before the first step, encoded.
    private(set) var base: [UInt8] = []
    /// The steps, encoded.
    private(set) var steps: [UInt8] = []
    private var last: Int
    /// The bytes of all texts.
    private(set) var textBytes = 0
    /// The size of the texts that its values and steps refer to, counting each reference.
    private(set) var referred = 0
    /// The offsets of the frames in a file, for errors; empty if it was not read from a file.
    private(set) var offsets: [(steps: Int, offset: Int)] = []

    /// The approximate size in bytes.
    var size: Int { base.count + steps.count + textBytes + Self.sizeOfText * texts.count }
    /// The memory that a text takes beside its bytes: its slots in the list and the dictionary, and the head of its storage.
    private static var sizeOfText: Int { 96 }
    /// The approximate growth in bytes, and in referenced text, since the beginning. The size of the first state does not
    /// count, since a large state must not lead to segments of a few steps.
    var grown: Int { size - atBeginning.size }
    var newlyReferred: Int { referred - atBeginning.referred }
    private var atBeginning = (size: 0, referred: 0)
    /// The end of the segment, for writing later parts: the numbers of texts, bytes of steps, and steps.
    var end: (texts: Int, steps: Int, count: Int) { (texts.count, steps.count, count) }

    /// Creates an empty segment.
    ///
    /// - Parameters:
    ///   - first: The number of the first step.
    ///   - time: The nanoseconds from the beginning of the recording.
    ///   - state: The state before the first step; nil if it is unknown.
    ///   - json: The state as JSON; empty if its type is not `Codable`.
    init(first: Int, time: Int, state: StateTree?, json: String) {
        self.first = first
        self.time = time
        last = time
        var sink = ByteSink()
        sink.add(byte: state == nil ? 0 : 1)
        if let state { add(state, to: &sink) }
        sink.add(place(of: json))
        base = sink.bytes
        atBeginning = (size, referred)
    }

    private mutating func place(of text: String) -> Int {
        referred += text.utf8.count
        if let place = places[ExactText(text)] { return place }
        texts.append(text)
        textBytes += text.utf8.count
        places[ExactText(text)] = texts.count - 1
        return texts.count - 1
    }

    /// Replaces texts; returns true if any has changed. Texts that are added later must not be among the old ones.
    mutating func replaceTexts(_ change: (String) -> String) -> Bool {
        let before = texts
        texts = before.map(change)
        if texts == before { return false }
        let sizeBefore = size
        textBytes = texts.reduce(0) { $0 + $1.utf8.count }
        atBeginning.size += size - sizeBefore
        places = Dictionary(zip(texts.map { ExactText($0) }, texts.indices), uniquingKeysWith: { _, last in last })
        return true
    }

    mutating func add(_ step: StepRecord) {
        var sink = ByteSink()
        precondition(step.number == first + count, "step \(step.number) does not follow step \(first + count - 1)")
        let flags =
            (step.cause != nil ? 1 : 0) | (step.child.isEmpty ? 0 : 2) | (step.source.isEmpty ? 0 : 4)
            | (step.json.isEmpty ? 0 : 8) | (step.name.isEmpty ? 0 : 16) | (step.call == 0 ? 0 : 32)
            | (step.outcome == .value ? 0 : 64) | (step.span == 0 ? 0 : 128) | (step.isLate ? 256 : 0)
            | (step.changes.isEmpty ? 0 : 512)
        sink.add(byte: step.kind.byte)
        sink.add(flags)
        sink.add(signed: step.time - last)
        sink.add(place(of: step.text))
        if let cause = step.cause { sink.add(cause == 0 ? 0 : step.number - cause + 1) }
        for text in [step.child, step.source, step.json, step.name] where !text.isEmpty { sink.add(place(of: text)) }
        if step.call != 0 { sink.add(step.number - step.call) }
        if step.outcome != .value { sink.add(byte: step.outcome.rawValue) }
        if step.span != 0 { sink.add(signed: step.span) }
        if !step.changes.isEmpty {
            sink.add(step.changes.count)
            for change in step.changes {
                sink.add(change.path.count)
                for name in change.path { sink.add(place(of: name)) }
                sink.add(byte: change.value == nil ? 0 : 1)
                if let value = change.value { add(value, to: &sink) }
            }
        }
        steps += sink.bytes
        last = step.time
        count += 1
    }

    private mutating func add(_ tree: StateTree, to sink: inout ByteSink) {
        switch tree {
        case .leaf(let text):
            sink.add(byte: 0)
            sink.add(place(of: text))
        case .node(let shape, let head, let parts):
            sink.add(byte: 1 + shape.rawValue)
            sink.add(place(of: head))
            sink.add(parts.count)
            for part in parts {
                sink.add(place(of: part.name))
                add(part.value, to: &sink)
            }
        }
    }

    // MARK: Frames

    /// Returns the content of the frame that begins the segment, with the texts of the state.
    ///
    /// - Parameter texts: The number of texts to write.
    func head(texts count: Int) -> [UInt8] {
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.segment)
        sink.add(first)
        sink.add(time)
        sink.add(count)
        for text in texts[..<count] { sink.add(text) }
        sink.add(counted: base)
        return sink.bytes
    }

    /// Returns the content of a frame with the steps from a given end on; nil if there are none.
    func tail(from start: (texts: Int, steps: Int, count: Int)) -> [UInt8]? {
        guard count > start.count else { return nil }
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.steps)
        sink.add(count - start.count)
        sink.add(texts.count - start.texts)
        for text in texts[start.texts...] { sink.add(text) }
        sink.add(steps[start.steps...].count)
        sink.add(Array(steps[start.steps...]))
        return sink.bytes
    }

    /// Reads the frame that begins a segment.
    init(_ source: inout ByteSource) throws(RecordingError) {
        first = try source.number()
        time = try source.number()
        guard first > 0, first < 1 << 53, 0...RecordingFormat.latest ~= time else {
            throw source.damaged("a segment begins with step \(first)")
        }
        last = time
        try readTexts(&source)
        offsets = [(-1, source.position)]
        base = Array(try source.counted())
    }

    private mutating func readTexts(_ source: inout ByteSource) throws(RecordingError) {
        let count = try source.count()
        guard texts.count + count <= RecordingFormat.mostTexts else { throw source.damaged("a segment has too many texts") }
        texts.reserveCapacity(texts.count + count)
        for _ in 0..<count { texts.append(try source.text()) }
    }

    /// Reads a frame with further steps.
    mutating func append(_ source: inout ByteSource) throws(RecordingError) {
        // Each step takes at least four bytes.
        let more = try source.count(each: 4)
        try readTexts(&source)
        let bytes = try source.counted()
        guard bytes.count / 4 >= more else { throw source.damaged("\(more) steps cannot be in \(bytes.count) bytes") }
        offsets.append((steps.count, source.position - bytes.count))
        count += more
        steps += bytes
    }
}

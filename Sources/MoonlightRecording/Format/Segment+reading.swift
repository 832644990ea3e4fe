// Decoding of a segment.
extension Segment {
    /// The decoded steps, with the state before the first of them.
    struct Content: Sendable {
        var state: StateTree?
        var json = ""
        var steps: [StepRecord] = []
    }

    func decoded() throws(RecordingError) -> Content {
        var reader = Reader(texts: texts)
        var content = Content()
        var source = ByteSource(base[...], at: (offsets.first?.offset ?? 0))
        if try source.byte() != 0 { content.state = try reader.tree(&source) }
        content.json = try reader.text(&source)
        content.steps.reserveCapacity(count)
        var previous = time
        let parts = offsets.dropFirst().isEmpty ? [(steps: 0, offset: 0)] : Array(offsets.dropFirst())
        for (index, part) in parts.enumerated() {
            let end = index + 1 < parts.count ? parts[index + 1].steps : steps.count
            var source = ByteSource(steps[part.steps..<end], at: part.offset)
            while !source.isAtEnd {
                let step = try reader.step(&source, number: first + content.steps.count, time: previous)
                previous = step.time
                content.steps.append(step)
            }
        }
        guard content.steps.count == count else {
            throw .damaged(
                byte: offsets.last?.offset ?? 0, reason: "\(count) steps are announced, but there are \(content.steps.count)")
        }
        return content
    }

    private struct Reader {
        let texts: [String]
        private var (values, referred) = (0, 0)

        init(texts: [String]) { self.texts = texts }

        mutating func text(_ source: inout ByteSource) throws(RecordingError) -> String {
            let place = try source.number()
            guard texts.indices.contains(place) else { throw source.damaged("there is no text \(place)") }
            referred += texts[place].utf8.count
            guard referred <= RecordingFormat.mostReferred else {
                throw source.damaged("a segment refers to too much text")
            }
            return texts[place]
        }

        mutating func tree(_ source: inout ByteSource, depth: Int = 0) throws(RecordingError) -> StateTree {
            values += 1
            guard depth < RecordingFormat.deepest, values <= RecordingFormat.mostValues else {
                throw source.damaged("a state is too deep or too large")
            }
            let tag = try source.byte()
            if tag == 0 { return .leaf(try text(&source)) }
            guard let shape = StateTree.Shape(rawValue: tag - 1) else { throw source.damaged("there is no shape \(tag)") }
            let head = try text(&source)
            // Each part takes at least three bytes.
            let count = try source.count(each: 3)
            var parts: [StateTree.Part] = []
            for _ in 0..<count {
                let name = try text(&source)
                parts.append(.init(name, try tree(&source, depth: depth + 1)))
            }
            return .node(shape, head, parts)
        }

        mutating func step(_ source: inout ByteSource, number: Int, time: Int) throws(RecordingError) -> StepRecord {
            var step = StepRecord()
            guard let kind = StepKind(byte: try source.byte()) else { throw source.damaged("there is no such step") }
            step.kind = kind
            let flags = try source.number()
            guard flags >= 0, flags < 1024 else { throw source.damaged("a step has unknown properties") }
            step.number = number
            step.time = time &+ (try source.signed())
            guard 0...RecordingFormat.latest ~= step.time else { throw source.damaged("a step has no such time") }
            step.text = try text(&source)
            if flags & 1 != 0 {
                let cause = try source.number()
                // No step causes itself.
                guard cause == 0 || cause >= 2 && cause <= step.number else { throw source.damaged("a step has no such cause") }
                step.cause = cause == 0 ? 0 : step.number - cause + 1
            }
            if flags & 2 != 0 { step.child = try text(&source) }
            if flags & 4 != 0 { step.source = try text(&source) }
            if flags & 8 != 0 { step.json = try text(&source) }
            if flags & 16 != 0 { step.name = try text(&source) }
            if flags & 32 != 0 {
                let call = try source.number()
                guard call > 0, call < step.number else { throw source.damaged("an answer has no such call") }
                step.call = step.number - call
            }
            if flags & 64 != 0 {
                guard let outcome = StepRecord.Outcome(rawValue: try source.byte()) else {
                    throw source.damaged("there is no such answer")
                }
                step.outcome = outcome
            }
            if flags & 128 != 0 {
                step.span = try source.signed()
                guard 0...RecordingFormat.latest ~= step.span else { throw source.damaged("a timer has no such span") }
            }
            step.isLate = flags & 256 != 0
            if flags & 512 != 0 {
                for _ in 0..<(try source.count(each: 2)) {
                    var path: [String] = []
                    for _ in 0..<(try source.count()) { path.append(try text(&source)) }
                    values += path.count
                    step.changes.append(.init(path, try source.byte() == 0 ? nil : try tree(&source)))
                }
            }
            return step
        }
    }
}

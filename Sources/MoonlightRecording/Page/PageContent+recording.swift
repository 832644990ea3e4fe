import Moonlight

extension PageContent {
    /// The maximal number of values in a page: steps, and the parts that they change.
    static var mostValues: Int { 4_000_000 }

    /// Creates the content of the page of a recording.
    package init(_ reader: RecordingReader) throws(RecordingError) {
        var steps: [Step] = []
        var values = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        try reader.forEach { (record, _) throws(RecordingError) in
            values += 1 + record.changes.reduce(0) { $0 + ($1.value?.count ?? 0) }
            guard values <= PageContent.mostValues else {
                throw .tooLarge(what: "the page", size: values, limit: PageContent.mostValues)
            }
            steps.append(Step(record))
            return true
        }
        let header = reader.header
        self.init(
            title: header.loop.isEmpty ? header.state : header.loop,
            start: header.start == 0 ? nil : WallTime(sinceEpoch: .nanoseconds(header.start)).description,
            state: try reader.firstState.map(Tree.init) ?? .leaf("unknown"), steps: steps)
    }
}

extension PageContent.Step {
    fileprivate init(_ record: StepRecord) {
        self.init(
            number: record.number, kind: PageContent.Kind(record), child: record.child.isEmpty ? nil : record.child,
            text: record.text,
            cause: record.kind == .answer || record.kind == .fired ? record.call : record.cause == 0 ? nil : record.cause,
            time: .nanoseconds(record.time),
            changes: record.changes.map { PageContent.Change(path: $0.path, value: $0.value.map(PageContent.Tree.init)) })
    }
}

extension PageContent.Kind {
    fileprivate init(_ record: StepRecord) {
        switch record.kind {
        // An event that has a cause in the loop was sent by feedback.
        case .event: self = record.cause == nil ? .event : .reaction
        case .effect: self = .effect
        case .job: self = .job
        case .rule: self = .reaction
        case .rejected: self = .rejected
        case .effectRejected: self = .effectRejected
        case .call, .timer: self = .call
        case .answer, .result, .fired: self = .answer
        case .note, .ended: self = .note
        }
    }
}

extension PageContent.Tree {
    fileprivate init(_ tree: StateTree) {
        switch tree {
        case .leaf(let text): self = .leaf(text)
        case .node(let shape, let head, let parts):
            let name =
                switch shape {
                case .structure: head
                case .enumeration: ".\(head)"
                case .tuple: "()"
                case .list: "[]"
                case .set: "Set"
                case .dictionary: "[:]"
                }
            self = .node(name, parts.map { ($0.name, Self($0.value)) })
        }
    }
}

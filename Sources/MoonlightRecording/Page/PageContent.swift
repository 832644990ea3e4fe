import Moonlight

/// The content of a page: the state before the first step, and the steps with their changes.
struct PageContent {
    /// The version of the page's data. A page imports only data of the same version.
    static let version = 1
    /// The maximal number of values in a page: steps, and the parts that they change.
    static let mostValues = 4_000_000

    /// The title of the page, for example the name of the loop.
    let title: String
    /// The beginning of the recording, as text; nil if it is unknown.
    var start: String?
    /// The state before the first step.
    let state: StateTree
    /// The steps, by ascending numbers.
    let steps: [StepRecord]
}

extension PageContent {
    /// Creates the content of the page of a recording.
    init(_ reader: RecordingReader) throws(RecordingError) {
        var steps: [StepRecord] = []
        var values = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        try reader.forEach { (record, _) throws(RecordingError) in
            values += 1 + record.changes.reduce(0) { $0 + ($1.value?.count ?? 0) }
            guard values <= PageContent.mostValues else {
                throw .tooLarge(what: "the page", size: values, limit: PageContent.mostValues)
            }
            steps.append(record)
            return true
        }
        let header = reader.header
        self.init(
            title: header.loop.isEmpty ? header.state : header.loop,
            start: header.start == 0 ? nil : WallTime(sinceEpoch: .nanoseconds(header.start)).description,
            state: try reader.firstState ?? .leaf("unknown"), steps: steps)
    }

    /// Returns the content as JSON: one array for each property of the steps, which is half the size, and each text once.
    ///
    /// | key | value |
    /// |---|---|
    /// | `v`, `title`, `start` | the version, the title, and its beginning or null |
    /// | `strings` | texts; elsewhere a text is its index here |
    /// | `state` | the state before the first step: a text, or `[type, [name, value, name, value, …]]` |
    /// | `n`, `k`, `l`, `t`, `c`, `a` | of each step: its number minus that of the previous step, the index of its kind, its child plus 1 or 0, its text, its distance to its cause or 0, and microseconds since the previous step |
    /// | `d` | of each step: 0, or `[path, value, path, value, …]`, where a path is an array of names and a removed value is null |
    ///
    /// It contains no `<`, so it may be in a `script` element.
    func json() -> String {
        var table = StringTable()
        var (number, time) = (0, 0)
        var columns: [[Int]] = Array(repeating: [], count: 6)
        var differences = ""
        for step in steps {
            let now = step.time / 1000
            columns[0].append(step.number - number)
            columns[1].append(step.pageKind)
            columns[2].append(step.child.isEmpty ? 0 : table.index(of: step.child) + 1)
            columns[3].append(table.index(of: step.text))
            columns[4].append(step.origin > 0 ? step.number - step.origin : 0)
            columns[5].append(now - time)
            (number, time) = (step.number, now)
            if !differences.isEmpty { differences += "," }
            differences += step.changes.isEmpty ? "0" : table.json(step.changes)
        }
        let names = ["n", "k", "l", "t", "c", "a"]
        var json = "{\"v\":\(Self.version),\"title\":\(quoted(title)),\"start\":\(start.map(quoted) ?? "null")"
        json += ",\"state\":\(table.json(state))"
        for (name, column) in zip(names, columns) {
            json += ",\"\(name)\":[\(column.map(String.init).joined(separator: ","))]"
        }
        json += ",\"d\":[\(differences)],\"strings\":[\(table.strings.map(quoted).joined(separator: ","))]}"
        return json
    }
}

extension StepRecord {
    /// The index of the kind among those that the page's script knows; the first four are its lanes.
    var pageKind: Int {
        switch kind {
        // An event that has a cause in the loop was sent by feedback, as that of a rule.
        case .event: cause == nil ? 0 : 3
        case .effect: 1
        case .job: 2
        case .rule: 3
        case .rejected: 4
        case .effectRejected: 5
        case .call, .timer: 6
        case .answer, .result, .fired: 7
        case .note, .ended: 8
        }
    }
}

/// A table of distinct texts.
private struct StringTable {
    var strings: [String] = []
    private var indices: [ExactText: Int] = [:]

    mutating func index(of text: String) -> Int {
        if let index = indices[ExactText(text)] { return index }
        strings.append(text)
        indices[ExactText(text)] = strings.count - 1
        return strings.count - 1
    }

    mutating func json(_ tree: StateTree) -> String {
        guard case .node(let shape, let head, let parts) = tree else { return "\(index(of: tree.source))" }
        let type =
            switch shape {
            case .structure: head
            case .enumeration: ".\(head)"
            case .tuple: "()"
            case .list: "[]"
            case .set: "Set"
            case .dictionary: "[:]"
            }
        var fields: [String] = []
        for part in parts { fields += ["\(index(of: part.name))", json(part.value)] }
        return "[\(index(of: type)),[\(fields.joined(separator: ","))]]"
    }

    mutating func json(_ changes: [TreeChange]) -> String {
        var fields: [String] = []
        for change in changes {
            fields.append("[\(change.path.map { "\(index(of: $0))" }.joined(separator: ","))]")
            fields.append(change.value.map { json($0) } ?? "null")
        }
        return "[\(fields.joined(separator: ","))]"
    }
}

/// Returns a text as a JSON string without `<`, which may be in a script.
private func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.jsonLiteral.unicodeScalars {
        if scalar == "<" { quoted += "\\u003c" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted
}

import Moonlight
import Streams

extension PageContent {
    /// The version of the page's data. A page imports only data of its own version.
    static let version = 1

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
    package func json() -> String {
        var table = StringTable()
        var (number, time) = (0, 0)
        var columns: [[Int]] = Array(repeating: [], count: 6)
        var differences = ""
        for step in steps {
            let now = TimeStride(step.time).nanoseconds / 1000
            columns[0].append(step.number - number)
            columns[1].append(step.kind.index)
            columns[2].append(step.child.map { table.index(of: $0) + 1 } ?? 0)
            columns[3].append(table.index(of: step.text))
            columns[4].append(step.cause.map { step.number - $0 } ?? 0)
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

extension PageContent.Kind {
    /// Its index among all kinds, which the page's script knows.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A table of distinct texts.
private struct StringTable {
    var strings: [String] = []
    private var indices: [String: Int] = [:]

    mutating func index(of text: String) -> Int {
        if let index = indices[text] { return index }
        strings.append(text)
        indices[text] = strings.count - 1
        return strings.count - 1
    }

    mutating func json(_ tree: PageContent.Tree) -> String {
        switch tree {
        case .leaf(let text): return "\(index(of: text))"
        case .node(let type, let parts):
            var fields: [String] = []
            for part in parts { fields += ["\(index(of: part.name))", json(part.value)] }
            return "[\(index(of: type)),[\(fields.joined(separator: ","))]]"
        }
    }

    mutating func json(_ changes: [PageContent.Change]) -> String {
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

extension ExplorationPicture {
    /// Compares with an earlier ``text``: what a change of the program has changed in its behavior.
    ///
    /// ```swift
    /// #expect(picture.changes(since: """
    ///     idle --When start--> busy
    ///     busy --When stop--> idle
    ///     """) == ["+ 1 state: failed", "- busy --When stop--> idle", "+ busy --When stop--> failed"])
    /// ```
    /// States that have come or gone are named if they are few, else counted. Each choice that has come or gone is a line.
    ///
    /// - Parameter text: The text of an earlier picture. Its lines may be in any order.
    /// - Returns: The differences, in lines; empty if there are none.
    public func changes(since text: String) -> [String] {
        let (before, now) = (Self.parsed(text), Self.parsed(self.text))
        return Self.summary("+", now.states.subtracting(before.states)) + Self.summary("-", before.states.subtracting(now.states))
            + before.edges.subtracting(now.edges).sorted().map { "- \($0)" }
            + now.edges.subtracting(before.edges).sorted().map { "+ \($0)" }
    }

    private static func summary(_ sign: String, _ states: Set<String>) -> [String] {
        if states.isEmpty { return [] }
        let count = "\(sign) \(states.count) \(states.count == 1 ? "state" : "states")"
        return states.count > 5 ? [count] : ["\(count): \(states.sorted().joined(separator: ", "))"]
    }

    /// Both texts are read in the same way, so that a label that looks like an arrow makes no difference where there is none.
    private static func parsed(_ text: String) -> (states: Set<String>, edges: Set<String>) {
        var (states, edges) = (Set<String>(), Set<String>())
        for line in text.split(separator: "\n").map({ String(trimmed($0)) }) where !line.isEmpty {
            guard let source = line.firstRange(of: " --"), let target = line.lastRange(of: "--> "),
                source.upperBound <= target.lowerBound
            else {
                states.insert(line)
                continue
            }
            states.formUnion([String(line[..<source.lowerBound]), String(line[target.upperBound...])])
            edges.insert(line)
        }
        return (states, edges)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}

extension String {
    /// The first place of a text; of the standard library, where there is no Foundation.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }

    /// The last place of a text.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        indices.last { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}

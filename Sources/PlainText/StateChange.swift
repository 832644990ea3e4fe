/// A field of a state that changed.
public struct StateChange: Sendable, Hashable, CustomStringConvertible {
    /// The path to the field, such as `user.name` or `lines[2]`; empty if the state itself differs as a whole; "…" if ``isCut``.
    public let path: String
    /// The description of the old value; nil if there was none.
    public let before: String?
    /// The description of the new value; nil if there is none.
    public let after: String?
    /// The verb that the journal names for a change of a `Slot`: `initialized`, `actualized`, `transitioned` or `deinitialized`. Nil
    /// for any other change.
    public let verb: String?
    /// True if this entry is no change but the mark at the end of an incomplete list: there may be more changes, because a limit of
    /// ``between(_:_:)`` was reached.
    public var isCut: Bool { before == nil && after == nil }

    /// The entry that marks an incomplete list.
    static let cut = StateChange(path: "…", before: nil, after: nil)

    init(path: String, before: String?, after: String?, verb: String? = nil) {
        self.path = path
        self.before = before
        self.after = after
        self.verb = verb
    }

    /// The path, followed by both values, and the verb if there is one: `download starting -> done (transitioned)`.
    public var description: String {
        if isCut { return "\(path) and possibly more changes, which were not compared" }
        let values = "\(before ?? "nothing") -> \(after ?? "nothing")"
        return ((path.isEmpty ? values : "\(path) \(values)") + (verb.map { " (\($0))" } ?? "")).escapingControlsInLines
    }

    /// Returns the fields in which two values differ, found by reflection and in the order of declaration.
    ///
    /// - Structs, objects, tuples, arrays, dictionaries and the payloads of the same enum case are compared part by part; the
    ///   fields that an object inherits are among its parts.
    /// - Sets are compared by the elements that were removed and added. Elements, and keys of a dictionary, are found by their
    ///   descriptions. If those are only the name of a class, there may be more changes, and the last entry is a mark of it.
    /// - A struct or an object that describes itself (`CustomStringConvertible`) is compared by description and, only if the
    ///   descriptions are equal, part by part.
    /// - Everything else, including an enum that describes itself, is compared by description. Values with equal descriptions
    ///   count as equal, as two NaNs do.
    ///
    /// A pair of objects that is met again is not compared again.
    ///
    /// - Parameters:
    ///   - before: The old value.
    ///   - after: The new value.
    /// - Returns: The changes; empty if none was found.
    /// - Complexity: Linear in the size of the values, within limits: at most 64 levels, 100,000 parts in all, and a thousand
    ///   changes. If a limit may have hidden a change, the last entry is a mark of it; see ``isCut``. Parts that are nested more
    ///   deeply than 64 levels are compared by description.
    public static func between<Value>(_ before: Value, _ after: Value) -> [StateChange] {
        between(before, after, namesVerbs: false)
    }

    /// Returns the fields in which two values differ.
    ///
    /// - Parameter namesVerbs: True if changes of a value that reports its own changes are described by ``verb``.
    package static func between<Value>(_ before: Value, _ after: Value, namesVerbs: Bool) -> [StateChange] {
        var comparison = StateComparison(namesVerbs: namesVerbs)
        comparison.compare(before, after, at: "")
        return comparison.changes
    }
}

import Moonlight

/// A job or a reaction that is in flight.
struct WorkInFlight {
    let path: ScopePath
    /// What it is called in the whole.
    let name: String
    /// What it is called in the child whose it is.
    let localName: String

    /// What it is called in a child, the names on the way to which are given; nil if it is none of that child's.
    func name(in scope: [String]) -> String? {
        if scope.isEmpty { return name }
        guard path.elements.count >= scope.count, zip(scope, path.elements).allSatisfy({ $1.isCalled($0) }) else { return nil }
        let rest = ScopePath(Array(path.elements.dropFirst(scope.count)))
        return rest.isRoot ? localName : "\(rest)/\(localName)"
    }
}

extension ScopePath.Element {
    /// Whether this is the child that a plan calls so. A reducer numbers children whose property has no name: `Lamp#3`; a plan
    /// leaves the number out.
    fileprivate func isCalled(_ name: String) -> Bool {
        let text = ScopePath([self]).description
        guard name.contains("#"), let mark = text.firstIndex(of: "#") else { return text == name }
        return text[...mark] + text[mark...].dropFirst().drop(while: \.isNumber) == name
    }
}

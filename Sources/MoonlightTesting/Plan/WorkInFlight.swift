import Moonlight

/// A job or a reaction that is in flight.
struct WorkInFlight {
    /// The path of the child that it belongs to.
    let path: ScopePath
    /// The name as seen from the root.
    let name: String
    /// The name as seen from the child that it belongs to.
    let localName: String

    /// Returns the name as seen from a child, which is given by the names on the way to it; nil if the work does not belong to
    /// that child.
    func name(in scope: [String]) -> String? {
        if scope.isEmpty { return name }
        guard path.elements.count >= scope.count, zip(scope, path.elements).allSatisfy({ $1.isCalled($0) }) else { return nil }
        let rest = ScopePath(Array(path.elements.dropFirst(scope.count)))
        return rest.isRoot ? localName : "\(rest)/\(localName)"
    }
}

extension ScopePath.Element {
    /// Returns whether a plan refers to this child by a name.
    ///
    /// A reducer numbers children whose property has no name at run time, as in `Lamp#3`; a plan leaves the number out.
    fileprivate func isCalled(_ name: String) -> Bool {
        let text = ScopePath([self]).description
        guard name.contains("#"), let mark = text.firstIndex(of: "#") else { return text == name }
        return text[...mark] + text[mark...].dropFirst().drop(while: \.isNumber) == name
    }
}

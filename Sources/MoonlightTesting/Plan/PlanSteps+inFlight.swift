import Moonlight

extension PlanSteps {
    /// Checks that exactly these jobs and reactions are in flight, each as often as it is listed.
    ///
    /// Steps on a child consider only the work of that child and its own children, under the ids that it has in the child:
    ///
    /// ```swift
    /// plan.scoped(toEach: \.cards, id: 7, event: …, effect: …) { $0.when(.save).inFlight("save") }
    /// plan.inFlight("cards[7]/save")
    /// ```
    ///
    /// - Parameters:
    ///   - ids: The ids of jobs, and the queries and keys of reactions, or their descriptions. The id of a child's job includes the
    ///     child's path (`JobID("search", path: …)`, or `"child/search"`). Steps on a child also accept ids with the whole path,
    ///     for a reducer that gives the child another name.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func inFlight(
        _ ids: any CustomStringConvertible...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let wanted = ids.map(\.description)
        let title = wanted.isEmpty ? "Nothing is in flight" : "In flight: \(list(wanted))"
        return checking("\(focus.title)\(title)", place) { [focus] world in
            _ = try state(in: world)
            var (missing, extra, elsewhere) = (wanted, [String](), [String]())
            for work in world.inFlight {
                let local = work.name(in: focus.scopePath)
                // The reducer may give the child another name, but work of a parent has a shorter path.
                let isOfParent = work.path.elements.count < focus.scopePath.count
                let names = [local, isOfParent ? nil : work.name].compactMap { $0 }
                if let index = names.lazy.compactMap({ missing.firstIndex(of: $0) }).first {
                    missing.remove(at: index)
                } else if let local {
                    extra.append(local)
                } else {
                    elsewhere.append(work.name)
                }
            }
            if missing.isEmpty, extra.isEmpty { return }
            var lines: [String] = []
            if !missing.isEmpty { lines.append("not in flight: \(list(missing))") }
            if !extra.isEmpty { lines.append("in flight, but not expected: \(list(extra))") }
            if !missing.isEmpty, !elsewhere.isEmpty { lines.append("in flight outside \(focus.name): \(list(elsewhere))") }
            throw PlanFault(lines.joined(separator: "\n"))
        }
    }

    /// Checks that exactly these calls are pending. They are the work of jobs and reactions.
    ///
    /// - Parameters:
    ///   - calls: The calls, as ``StubCall``s or as their descriptions in failures and traces: `"search(\"moon\")"`.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func waiting(
        _ calls: any CustomStringConvertible...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let wanted = calls.map(\.description).sorted()
        return checking(wanted.isEmpty ? "Nothing waits" : "Waiting: \(wanted.joined(separator: ", "))", place) {
            world in
            let actual = world.log.records.filter { $0.state == .waits }.map(\.description).sorted()
            if actual == wanted { return }
            throw PlanFault(Differences.failure("waiting", expected: wanted, got: actual).joined(separator: "\n"))
        }
    }

    /// Allows streams to be alive, and calls to be pending, when the plan ends.
    public func ignoringInFlight(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { $0.mayBeAlive = true }
    }

    /// Allows events and effects to be rejected from here on.
    ///
    /// Steps that require a rejection still fail if there is none.
    public func ignoringRefusals(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { $0.mayRefuse = true }
    }

    /// Allows the environment to be retained after the end of the plan.
    public func ignoringRelease(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { $0.mayBeHeld = true }
    }
}

private func list(_ names: [String]) -> String { names.sorted().joined(separator: ", ") }

/// A job or a reaction that is in flight.
struct WorkInFlight {
    /// The path of the child that it belongs to.
    let path: ScopePath
    /// The name as seen from the root.
    let name: String
    /// The name as seen from the child that it belongs to.
    let localName: String

    /// Returns the name as seen from a child, given the names on the path to it; nil if the work does not belong to that
    /// child.
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
    /// A reducer numbers children whose property has no name at run time, as in `Lamp#3`; a plan omits the number.
    fileprivate func isCalled(_ name: String) -> Bool {
        let text = ScopePath([self]).description
        guard name.contains("#"), let mark = text.firstIndex(of: "#") else { return text == name }
        return text[...mark] + text[mark...].dropFirst().drop(while: \.isNumber) == name
    }
}

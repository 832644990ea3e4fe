import Moonlight

extension PlanSteps {
    /// The jobs and reactions in flight must be these, and no others.
    ///
    /// In steps on a child only the child's are looked at, and those of its own children, under the ids that they have in the
    /// child:
    /// ```swift
    /// plan.scoped(toEach: \.cards, id: 7, event: …, effect: …) { $0.when(.save).inFlight("save") }
    /// plan.inFlight("cards[7]/save")
    /// ```
    /// - Parameter ids: The jobs' ids, those of a child with its path (`JobID("search", path: …)`), and the reactions' queries
    ///   and keys. In steps on a child, an id with the whole path will do, too: for a reducer that names the child otherwise.
    public func inFlight(
        _ ids: Any...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let wanted = Set(ids.map { String(describing: $0) })
        let title = wanted.isEmpty ? "Nothing is in flight" : "In flight: \(list(wanted))"
        return checking("\(focus.title)\(title)", place) { [focus] world in
            var (missing, extra, elsewhere) = (wanted, Set<String>(), Set<String>())
            for work in world.inFlight {
                let local = work.name(in: focus.scopePath)
                let isWanted = [local, work.name].contains { $0.map(wanted.contains) ?? false }
                missing.subtract([local, work.name].compactMap { $0 })
                if isWanted { continue }
                if let local { extra.insert(local) } else { elsewhere.insert(work.name) }
            }
            if missing.isEmpty, extra.isEmpty { return }
            var lines: [String] = []
            if !missing.isEmpty { lines.append("not in flight: \(list(missing))") }
            if !extra.isEmpty { lines.append("in flight, but not expected: \(list(extra))") }
            if !missing.isEmpty, !elsewhere.isEmpty { lines.append("in flight outside \(focus.name): \(list(elsewhere))") }
            throw PlanFault(lines.joined(separator: "\n"))
        }
    }

    /// The calls that wait for their answer must be these, and no others: the work of jobs, and of reactions.
    ///
    /// - Parameter calls: The calls, described as in failures and stories: `"search(\"moon\")"`; or ``StubCall``s.
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

    /// Streams that are alive when the plan ends, and calls that wait, are not a failure.
    public func ignoringInFlight(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { $0.mayBeAlive = true }
    }

    /// That something of the test holds on to the environment when the plan has ended is not a failure.
    public func ignoringRelease(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { $0.mayBeHeld = true }
    }
}

private func list(_ names: Set<String>) -> String { names.sorted().joined(separator: ", ") }

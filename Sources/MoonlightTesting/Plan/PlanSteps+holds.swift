import Moonlight

/// The states that ``PlanSteps/holds(_:in:is:fileID:file:line:column:_:)`` checks.
public enum PlanStates: Sendable {
    /// The current state.
    case present
    /// All states that observers have seen in the last step; the current state if there were none.
    case lastStep
    /// The current state, if no stream of effects is alive, no timer is pending, and no call of feedback is open.
    case quiet
}

extension PlanSteps {
    /// Checks a condition of states, as a property of an exploration does. A state in which the child of these steps is absent
    /// fulfills it: to check that the child is there, use `then`.
    ///
    /// - Parameters:
    ///   - title: The condition, in words.
    ///   - states: The states to check.
    ///   - isExpected: True if the condition must hold; false if it must not.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns true if a state meets the condition.
    public func holds(
        _ title: String, in states: PlanStates = .present, is isExpected: Bool = true,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping (State) -> Bool
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(focus.title)\(isExpected ? "" : "it is not so: ")\(title)", place) { [focus] world in
            var all: [RootState] = [world.state]
            switch states {
            case .present: break
            case .lastStep: all = world.statesOfStep + all
            case .quiet:
                // A call that ignored its cancellation belongs to no live effect.
                let waits = world.log.records.contains { $0.state == .waits && !$0.ignoresCancellation }
                if waits || !world.hasNothingAlive { all = [] }
            }
            for state in all.compactMap(focus.read) where holds(state) != isExpected {
                throw PlanFault("\"\(title)\" \(isExpected ? "does not hold" : "is so") of \(ValueText.shown("\(state)"))")
            }
        }
    }
}

import MoonlightTesting

/// Properties.
extension Exploration {
    /// Returns the exploration with a property of all states that observers see.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func always(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(name, .always(holds), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns the exploration with what must be true of no state that observers see.
    ///
    /// - Parameters:
    ///   - name: What never happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - happens: Returns whether it is the case in a state.
    public func never(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ happens: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having("never: \(name)", .always { !happens($0) }, SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns the exploration with a property of the states in which nothing is live: no effect, no timer.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func whenQuiet(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(name, .whenQuiet(holds), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns the exploration with what must happen in the end, each time that something else has happened.
    ///
    /// It is assumed that an open call gets an outcome in the end, unless its rule says `never`, that time goes on, and that
    /// events from outside cease to come.
    ///
    /// - Parameters:
    ///   - name: What happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - trigger: Returns whether a state asks for it; nil if every state does.
    ///   - goal: Returns whether it has happened in a state.
    public func eventually(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        after trigger: (@Sendable (State) -> Bool)? = nil, until goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(
            name, .eventually(after: trigger, until: goal), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns the exploration with what can be reached from every node, by some choices.
    ///
    /// Where events are limited by `atMost`, nodes that differ only in how many have come count as one: what was tried at one of
    /// them could be done at the others, too. A node that was only found when no further event may come is not asked.
    ///
    /// - Parameters:
    ///   - name: What can be reached, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - goal: Returns whether it is reached in a state.
    public func canAlways(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        to goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having("can always \(name)", .canAlways(goal), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns the exploration with the claim that something can go on from everywhere: that there is no node at which nothing
    /// is live, and no event changes anything.
    ///
    /// Moments at which no further event may come, because of `atMost`, are not asked.
    ///
    /// - Parameter isEnd: Returns whether nothing need go on in a state.
    public func noDeadEnds(except isEnd: (@Sendable (State) -> Bool)? = nil) -> Self {
        changed { $0.deadEnds = DeadEnds(isEnd: isEnd) }
    }

    private func having(_ name: String, _ kind: Property<State>.Kind, _ place: SourcePlace) -> Self {
        changed { $0.properties.append(Property(name: name, kind: kind, place: place)) }
    }
}

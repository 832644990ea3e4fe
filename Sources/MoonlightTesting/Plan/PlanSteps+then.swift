import Moonlight

extension PlanSteps {
    /// Checks that a part of the state equals a value.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the part.
    ///   - value: The expected value.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func then<Value: Equatable>(
        _ keyPath: KeyPath<State, Value>, equals value: Value,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(focus.path(keyPath)) is \(ValueText.shown(ValueText.describe(value)))", place) {
            world in
            let actual = try state(in: world)[keyPath: keyPath]
            if actual == value { return }
            let name = focus.path(keyPath)
            throw PlanFault(Differences.failure(name, expected: value, got: actual).joined(separator: "\n"))
        }
    }

    /// Checks that the whole state equals a value.
    ///
    /// - Parameters:
    ///   - value: The expected state.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func then(
        equals value: State,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self where State: Equatable {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let name = focus.name.isEmpty ? "the state" : focus.name
        return checking("Then \(name) is \(ValueText.shown(ValueText.describe(value)))", place) { [focus] world in
            let actual = try state(in: world)
            if actual == value { return }
            let differences = Differences.failure(focus.name, expected: value, got: actual)
            throw PlanFault(differences.joined(separator: "\n"))
        }
    }

    /// Checks the state in a closure.
    ///
    /// - Parameters:
    ///   - title: The text after "Then" in the trace.
    ///   - check: Fails the plan by throwing. It may also call the checks of a test framework.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func then(
        _ title: String = "the state is as expected",
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ check: @escaping (State) throws -> Void
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(focus.title)\(title)", place) { world in try check(try state(in: world)) }
    }

    /// Checks an optional part of the state in a closure. The plan fails if the part is nil; `{ _ in }` checks nothing more.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the part.
    ///   - check: Fails the plan by throwing.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func then<Value>(
        _ keyPath: KeyPath<State, Value?>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ check: @escaping (Value) throws -> Void
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let name = focus.path(keyPath)
        return checking("Then \(name) is as expected", place) { world in
            guard let value = try state(in: world)[keyPath: keyPath] else {
                throw PlanFault("\(name): expected a value, got nil")
            }
            try check(value)
        }
    }

    /// Checks that the last step that acted led to exactly these effects, in this order.
    ///
    /// - Parameters:
    ///   - effects: The expected effects; none if empty. Steps on a child consider only the child's effects.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func emits(
        _ effects: Effect...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self where Effect: Equatable {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking(Differences.title(of: effects), place) { [focus] world in
            guard let extract = focus.extract else {
                throw PlanFault("steps on \(focus.name) see effects only if its scope maps them: add effect: …")
            }
            let actual = world.effectsOfStep.compactMap(extract)
            // A child that has left with its effects is absent, but one without effects must be there.
            if actual.isEmpty { _ = try state(in: world) }
            if actual == effects { return }
            let lines = Differences.failure("effects", expected: effects, got: actual)
            let got = actual.isEmpty ? "none" : actual.map(ValueText.describe).joined(separator: ", ")
            throw PlanFault((lines + ["The last step led to these effects: \(got)"]).joined(separator: "\n"))
        }
    }
}

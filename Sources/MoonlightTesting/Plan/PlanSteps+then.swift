import Moonlight

extension PlanSteps {
    /// A part of the state must be a value.
    ///
    /// - Parameters:
    ///   - keyPath: The part.
    ///   - value: What it must be.
    public func then<Value: Equatable>(
        _ keyPath: KeyPath<State, Value>, equals value: Value,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(focus.path(keyPath)) is \(Differences.shown(Differences.describe(value)))", place) {
            world in
            let actual = try state(in: world)[keyPath: keyPath]
            if actual == value { return }
            let name = focus.path(keyPath)
            throw PlanFault(Differences.failure(name, expected: value, got: actual).joined(separator: "\n"))
        }
    }

    /// The whole state must be a value.
    public func then(
        equals value: State,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self where State: Equatable {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let name = focus.name.isEmpty ? "the state" : focus.name
        return checking("Then \(name) is \(Differences.shown(Differences.describe(value)))", place) { [focus] world in
            let actual = try state(in: world)
            if actual == value { return }
            let differences = Differences.failure(focus.name, expected: value, got: actual)
            throw PlanFault(differences.joined(separator: "\n"))
        }
    }

    /// A closure looks at the state.
    ///
    /// - Parameter check: Fails the plan by throwing; a test framework's own checks may stand in it, too.
    public func then(
        _ title: String = "the state is as it should be",
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ check: @escaping (State) throws -> Void
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(focus.title)\(title)", place) { world in try check(try state(in: world)) }
    }

    /// An optional part of the state must be there; a closure looks at it.
    public func then<Value>(
        _ keyPath: KeyPath<State, Value?>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ check: @escaping (Value) throws -> Void
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let name = focus.path(keyPath)
        return checking("Then \(name) is as it should be", place) { world in
            guard let value = try state(in: world)[keyPath: keyPath] else {
                throw PlanFault("\(name): expected a value, got nil")
            }
            try check(value)
        }
    }

    /// An optional part of the state must be there.
    public func thenNotNil<Value>(
        _ keyPath: KeyPath<State, Value?>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        then(keyPath, fileID: fileID, file: file, line: line, column: column) { _ in }
    }

    /// An optional part of the state must not be there.
    public func thenNil<Value>(
        _ keyPath: KeyPath<State, Value?>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        let name = focus.path(keyPath)
        return checking("Then there is no \(name)", place) { world in
            if let value = try state(in: world)[keyPath: keyPath] {
                throw PlanFault("\(name): expected nil, got \(Differences.shown(Differences.describe(value)))")
            }
        }
    }

    /// The last step that did something must have led to these effects, and to no others, in this order.
    public func emits(
        _ effects: Effect...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self where Effect: Equatable {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking(Differences.title(of: effects), place) { [focus] world in
            guard let extract = focus.extract else {
                throw PlanFault("steps on \(focus.name) see effects only if its scope says which: write effect: …")
            }
            let actual = world.effectsOfStep.compactMap(extract)
            if actual == effects { return }
            let lines = Differences.failure("effects", expected: effects, got: actual)
            let got = actual.isEmpty ? "none" : actual.map(Differences.describe).joined(separator: ", ")
            throw PlanFault((lines + ["The last step led to these effects: \(got)"]).joined(separator: "\n"))
        }
    }
}

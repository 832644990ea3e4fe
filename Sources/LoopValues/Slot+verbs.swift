// The verbs that change a feature. A verb that throws leaves the feature unchanged.
extension Slot {
    /// Initializes the feature, which must be absent.
    ///
    /// - Parameters:
    ///   - new: The first state.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Throws: A ``Rejection`` if the feature is present.
    public mutating func initialize(_ new: State, file: String = #fileID, line: Int = #line) throws(Rejection) {
        try requireAbsent(file: file, line: line)
        state = new
    }

    /// Changes the associated value of the feature's state, in any case. The case remains the same.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    ///   - change: Changes the state.
    /// - Throws: A ``Rejection`` if the feature is absent, or if `change` leads to another case, which would be a transition; the
    ///   error that `change` throws.
    public mutating func actualize(
        file: String = #fileID, line: Int = #line, _ change: (inout State) throws -> Void
    ) throws {
        let old = try require(file: file, line: line)
        var new = old
        try change(&new)
        if !Self.isSameCase(old, new) { throw broken(caseName(of: new), file, line) }
        stored = new
    }

    /// Changes the associated value of a given state.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    ///   - change: Changes the associated value.
    /// - Throws: A ``Rejection`` if the feature is not in that state; the error that `change` throws.
    public mutating func actualize<Part>(
        _ expected: CasePath<State, Part>, file: String = #fileID, line: Int = #line,
        _ change: (inout Part) throws -> Void
    ) throws {
        var part = try require(expected, file: file, line: line)
        try change(&part)
        stored = expected.embed(part)
    }

    /// Replaces the associated value of a given state.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - part: The new associated value.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Throws: A ``Rejection`` if the feature is not in that state.
    public mutating func actualize<Part>(
        _ expected: CasePath<State, Part>, to part: Part, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        _ = try require(expected, file: file, line: line)
        stored = expected.embed(part)
    }

    /// Changes from a given state to another one, or reenters the same.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - new: The state to enter.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Throws: A ``Rejection`` if the feature is not in the expected state.
    public mutating func transition<From>(
        from expected: CasePath<State, From>, into new: State, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        _ = try require(expected, file: file, line: line)
        enter(new)
    }

    /// Changes from a given state to one that is derived from its associated value.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    ///   - makeNew: Returns the state to enter, given the associated value of the current one.
    /// - Throws: A ``Rejection`` if the feature is not in the expected state; the error that `makeNew` throws.
    public mutating func transition<From>(
        from expected: CasePath<State, From>, file: String = #fileID, line: Int = #line,
        into makeNew: (From) throws -> State
    ) throws {
        enter(try makeNew(try require(expected, file: file, line: line)))
    }

    /// Changes from any state to another.
    ///
    /// - Parameters:
    ///   - new: The state to enter.
    ///   - reentering: Whether that may be the same case as the current state. Observers and rules see a transition then, even if
    ///     the state is equal to the one before.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Throws: A ``Rejection`` if the feature is absent, or if it is in the same case and `reentering` is false.
    public mutating func transition(
        into new: State, reentering: Bool = false, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        let old = try require(file: file, line: line)
        if !reentering, Self.isSameCase(old, new) {
            throw broken("any state but \(caseName(of: new))", file, line)
        }
        enter(new)
    }

    /// Ends the feature, which may be in any state.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Returns: The last state.
    /// - Throws: A ``Rejection`` if the feature is absent.
    @discardableResult
    public mutating func deinitialize(file: String = #fileID, line: Int = #line) throws(Rejection) -> State {
        let old = try require(file: file, line: line)
        state = nil
        return old
    }

    /// Ends the feature, which must be in a given state.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Returns: The associated value of the last state.
    /// - Throws: A ``Rejection`` if the feature is not in that state.
    @discardableResult
    public mutating func deinitialize<Part>(
        from expected: CasePath<State, Part>, file: String = #fileID, line: Int = #line
    ) throws(Rejection) -> Part {
        let old = try require(expected, file: file, line: line)
        state = nil
        return old
    }

    private mutating func enter(_ new: State) {
        entries = stored.map { Self.isSameCase($0, new) } == true ? entries + 1 : 0
        stored = new
    }
}

extension Slot {
    /// Returns a copy of the slot after some verbs. For `transform`, which cannot change the state, but can compute the slot
    /// that its effect is to set.
    ///
    /// ```swift
    /// case .start: return Just(.download(try model.download.after { try $0.initialize(.starting) })).eraseToAnyPublisher()
    /// ```
    ///
    /// - Parameter verbs: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: The error that `verbs` throws.
    public func after<Failure: Error>(_ verbs: (inout Slot) throws(Failure) -> Void) throws(Failure) -> Slot {
        var slot = self
        try verbs(&slot)
        return slot
    }
}

// Guards on the state of a feature, for `transform` and `apply`.
extension Slot {
    /// Checks that the feature is absent.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Throws: A ``Rejection`` if the feature is present.
    public func requireAbsent(file: String = #fileID, line: Int = #line) throws(Rejection) {
        if isPresent { throw broken("absent", file, line) }
    }

    /// Checks that the feature is present, in any state.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Returns: The state.
    /// - Throws: A ``Rejection`` if the feature is absent.
    @discardableResult
    public func require(file: String = #fileID, line: Int = #line) throws(Rejection) -> State {
        guard let stored else { throw broken("present", file, line) }
        return stored
    }

    /// Checks that the feature is in a given state.
    ///
    /// - Parameters:
    ///   - expected: The state that the feature must be in.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    /// - Returns: The associated value of the state.
    /// - Throws: A ``Rejection`` if the feature is not in that state.
    @discardableResult
    public func require<Part>(
        _ expected: CasePath<State, Part>, file: String = #fileID, line: Int = #line
    ) throws(Rejection) -> Part {
        guard let part = self[expected] else { throw broken(expected.name, file, line) }
        return part
    }

    /// Checks that a value can be derived from the feature's state.
    ///
    /// ```swift
    /// let url = try model.download.require("a file to open", \.url)
    /// ```
    /// - Parameters:
    ///   - what: The name of the expected value in the rejection.
    ///   - file: The file of the call, for the rejection.
    ///   - line: The line of the call, for the rejection.
    ///   - value: Returns the value; nil if the state does not have it.
    /// - Returns: The value.
    /// - Throws: A ``Rejection`` if the feature is absent, or `value` returns nil.
    @discardableResult
    public func require<Value>(
        _ what: String, file: String = #fileID, line: Int = #line, _ value: (State) -> Value?
    ) throws(Rejection) -> Value {
        guard let value = stored.flatMap(value) else { throw broken(what, file, line) }
        return value
    }

    /// Returns the rejection of a guard that failed.
    func broken(_ expected: String, _ file: String, _ line: Int) -> Rejection {
        let actual = stored.map { caseName(of: $0) } ?? "absent"
        return Rejection("\(Self.name): expected \(expected), was \(actual)", file: file, line: line)
    }
}

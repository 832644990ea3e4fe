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

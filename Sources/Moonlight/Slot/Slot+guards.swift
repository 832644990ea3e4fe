// What may be demanded of a feature before something is done, in `transform` or in `apply`.
extension Slot {
    /// Demands that the feature is absent.
    public func requireAbsent(file: String = #fileID, line: Int = #line) throws(Rejection) {
        if isPresent { throw broken("absent", file, line) }
    }

    /// Demands that the feature is there, in whichever state.
    ///
    /// - Returns: The state.
    @discardableResult
    public func require(file: String = #fileID, line: Int = #line) throws(Rejection) -> State {
        guard let stored else { throw broken("present", file, line) }
        return stored
    }

    /// Demands that the feature is in a state.
    ///
    /// - Returns: What the state carries.
    @discardableResult
    public func require<Part>(
        _ expected: CasePath<State, Part>, file: String = #fileID, line: Int = #line
    ) throws(Rejection) -> Part {
        guard let part = self[expected] else { throw broken(expected.name, file, line) }
        return part
    }

    /// Demands something of the feature's state.
    ///
    /// ```swift
    /// let url = try model.download.require("a file to open", \.url)
    /// ```
    /// - Parameters:
    ///   - what: What it is called in the rejection.
    ///   - value: What is demanded; nil if it is not there.
    @discardableResult
    public func require<Value>(
        _ what: String, file: String = #fileID, line: Int = #line, _ value: (State) -> Value?
    ) throws(Rejection) -> Value {
        guard let value = stored.flatMap(value) else { throw broken(what, file, line) }
        return value
    }

    func broken(_ expected: String, _ file: String, _ line: Int) -> Rejection {
        let actual = stored.map { caseName(of: $0) } ?? "absent"
        return Rejection(
            .brokenGuard(feature: Self.name, expected: expected, actual: actual),
            "\(Self.name): expected \(expected), was \(actual)", path: .root, file: file, line: line)
    }
}

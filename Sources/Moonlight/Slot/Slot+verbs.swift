/// Whether a transition may lead to the state that the feature is in.
public enum SameState: Sendable, Hashable {
    /// It may: the state is entered anew. Observers and rules see that, even if the state carries what it carried before.
    case allowed
    /// It may not.
    case rejected
}

// What can be done to a feature. Each leaves it as it is if it throws.
extension Slot {
    /// Brings the feature into being.
    ///
    /// - Throws: A ``Rejection`` if it is there.
    public mutating func initialize(_ new: State, file: String = #fileID, line: Int = #line) throws(Rejection) {
        try requireAbsent(file: file, line: line)
        (stored, entries) = (new, 0)
    }

    /// Changes what the feature's state carries, whichever state that is. It stays in it.
    ///
    /// - Throws: A ``Rejection`` if it is absent, or the change leads to another state, which is a transition; what the
    ///   change throws.
    public mutating func actualize(
        file: String = #fileID, line: Int = #line, _ change: (inout State) throws -> Void
    ) throws {
        let old = try require(file: file, line: line)
        var new = old
        try change(&new)
        if !Self.isSameCase(old, new) { throw broken(caseName(of: new), file, line) }
        stored = new
    }

    /// Changes what one of the feature's states carries.
    ///
    /// - Throws: A ``Rejection`` if it is not in that state; what the change throws.
    public mutating func actualize<Part>(
        _ expected: CasePath<State, Part>, file: String = #fileID, line: Int = #line,
        _ change: (inout Part) throws -> Void
    ) throws {
        var part = try require(expected, file: file, line: line)
        try change(&part)
        stored = expected.embed(part)
    }

    /// Replaces what one of the feature's states carries.
    ///
    /// - Throws: A ``Rejection`` if it is not in that state.
    public mutating func actualize<Part>(
        _ expected: CasePath<State, Part>, to part: Part, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        _ = try require(expected, file: file, line: line)
        stored = expected.embed(part)
    }

    /// Goes from one state to another, or enters the same anew.
    ///
    /// - Throws: A ``Rejection`` if it is not in the first.
    public mutating func transition<From>(
        from expected: CasePath<State, From>, into new: State, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        _ = try require(expected, file: file, line: line)
        enter(new)
    }

    /// Goes from one state to another that is made of it.
    ///
    /// - Throws: A ``Rejection`` if it is not in the first; what the closure throws.
    public mutating func transition<From>(
        from expected: CasePath<State, From>, file: String = #fileID, line: Int = #line,
        into makeNew: (From) throws -> State
    ) throws {
        enter(try makeNew(try require(expected, file: file, line: line)))
    }

    /// Goes from any state to another.
    ///
    /// - Parameters:
    ///   - new: The state to go to.
    ///   - same: Whether that may be the one in which it is, whatever either carries.
    /// - Throws: A ``Rejection`` if it is absent, or in that state.
    public mutating func transition(
        into new: State, same: SameState = .rejected, file: String = #fileID, line: Int = #line
    ) throws(Rejection) {
        let old = try require(file: file, line: line)
        if same == .rejected, Self.isSameCase(old, new) {
            throw broken("any state but \(caseName(of: new))", file, line)
        }
        enter(new)
    }

    /// Ends the feature, in whichever state it is.
    ///
    /// - Returns: The last state.
    /// - Throws: A ``Rejection`` if it is absent.
    @discardableResult
    public mutating func deinitialize(file: String = #fileID, line: Int = #line) throws(Rejection) -> State {
        let old = try require(file: file, line: line)
        state = nil
        return old
    }

    /// Ends the feature.
    ///
    /// - Returns: What the last state carried.
    /// - Throws: A ``Rejection`` if it is not in the state from which it may end.
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
    /// What the feature would be after some verbs: for `transform`, which may not change the state but may decide what its
    /// effect will bring.
    ///
    /// ```swift
    /// case .start: return Just(.download(try model.download.after { try $0.initialize(.starting) })).eraseToAnyPublisher()
    /// ```
    public func after<Failure: Error>(_ verbs: (inout Slot) throws(Failure) -> Void) throws(Failure) -> Slot {
        var slot = self
        try verbs(&slot)
        return slot
    }
}

extension Optional {
    /// Returns the wrapped value, or throws an error if there is none.
    ///
    /// ```swift
    /// let port = try arguments[safe: 1].orThrow(UsageError("a port is missing"))
    /// ```
    ///
    /// - Parameter error: The error; evaluated only if it is thrown.
    /// - Returns: The wrapped value.
    /// - Throws: `error` if this is nil.
    public func orThrow<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}

extension Moonlight {
    /// Returns the status of each feature of a state, in the order of its properties.
    ///
    /// A feature is a value that conforms to ``/LoopValues/StatusReporting``, an optional of such a value, a ``/LoopValues/Slot``,
    /// or a collection of these, which is reported with the number of elements in each status. Properties that are structs are
    /// searched for features.
    ///
    /// - Parameter state: The state.
    /// - Returns: The features.
    public static func status(of state: Any) -> [FeatureStatus] { FeatureStatus.all(of: state) }

    /// Returns the status of all features of a state as one line, for a terminal or a log.
    ///
    ///     download: busy 40 % · login: missing · rows: failed 3 ok, 1 failed
    ///
    /// - Parameter state: The state.
    /// - Returns: The line.
    public static func statusLine(of state: Any) -> String {
        status(of: state).map(\.description).joined(separator: " · ")
    }
}

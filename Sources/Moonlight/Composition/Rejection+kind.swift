extension Rejection {
    /// What kind of reason there is for a refusal.
    public enum Kind: Hashable, Sendable {
        /// One that its author gave.
        case stated
        /// The event was for a child that is not there.
        case absentChild
        /// A guard of a ``Slot`` did not hold.
        case brokenGuard(feature: String, expected: String, actual: String)
    }

    /// This refusal, as one that has happened in a child.
    func located(in child: ScopePath.Element) -> Rejection {
        Rejection(kind, reason, path: ScopePath([child]).appending(path), file: file, line: line)
    }
}

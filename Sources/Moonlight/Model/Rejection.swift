/// Why an event or an effect was refused, and where: what `transform` throws, and an `apply` that may.
///
/// ```swift
/// guard state.isLoggedIn else { throw Rejection("only who has logged in may pay") }
/// ```
/// Interpolated, as into an answer to a client, it is its ``reason`` alone. `String(reflecting:)`, the debugger and the journal
/// also tell the child and the line of the source that have refused.
public struct Rejection: Error, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What kind of reason there is.
    public let kind: Kind
    /// Why.
    public let reason: String
    /// The child that has refused; the root's path if it was none.
    public let path: ScopePath
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line.
    public let line: Int

    /// A refusal that knows its place in the source.
    public init(_ reason: String, file: String = #fileID, line: Int = #line) {
        self.init(.stated, reason, path: .root, file: file, line: line)
    }

    init(_ kind: Kind, _ reason: String, path: ScopePath, file: String, line: Int) {
        (self.kind, self.reason, self.path, self.file, self.line) = (kind, reason, path, file, line)
    }

    /// The reason, without the place: fit for those who use the program.
    public var description: String { reason }

    /// `cart: the cart is empty (Shop/Cart.swift:12)`: the child, the reason and the place in the source, for those who write the
    /// program.
    public var debugDescription: String { "\(path.isRoot ? "" : "\(path): ")\(reason) (\(file):\(line))" }
}

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

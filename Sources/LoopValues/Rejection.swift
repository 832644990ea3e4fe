import PlainText

/// The reason why an event or an effect was rejected, and where. Thrown by `transform` and by an `apply` that can throw.
///
/// ```swift
/// guard state.isLoggedIn else { throw Rejection("log in before paying") }
/// ```
/// Interpolated into a string, for example the answer to a client, it is only its ``reason``. `String(reflecting:)`, the debugger
/// and the journal also show the child and the source line of the rejection.
public struct Rejection: Error, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// True if the event was for a child that is absent.
    public let isForAbsentChild: Bool
    /// The reason, as text.
    public let reason: String
    /// The path of the child that rejected the event or effect; the root's path if it was not a child.
    public let path: ScopePath
    /// The source file of the rejection, as `Module/File.swift`.
    public let file: String
    /// The line of the rejection in the source file.
    public let line: Int

    /// Creates a rejection that stores where in the source it was created.
    ///
    /// - Parameters:
    ///   - reason: The reason, fit for users of the program.
    ///   - file: The source file, as `Module/File.swift`.
    ///   - line: The line in the file.
    public init(_ reason: String, file: String = #fileID, line: Int = #line) {
        self.init(reason, path: .root, file: file, line: line)
    }

    package init(_ reason: String, isForAbsentChild: Bool = false, path: ScopePath, file: String, line: Int) {
        self.isForAbsentChild = isForAbsentChild
        self.reason = reason
        self.path = path
        self.file = file
        self.line = line
    }

    /// The reason without the place, for users of the program.
    public var description: String { reason }

    /// The child, the reason and the place in the source, for developers: `cart: the cart is empty (Shop/Cart.swift:12)`.
    public var debugDescription: String { "\(path.isRoot ? "" : "\(path): ")\(reason) (\(file):\(line))".escapingControlsInLines }
}

extension Rejection {
    /// Returns this rejection with a child prepended to its path.
    package func located(in child: ScopePath.Element) -> Rejection {
        Rejection(
            reason, isForAbsentChild: isForAbsentChild, path: ScopePath([child]).appending(path), file: file, line: line)
    }
}

/// A mistake of a programmer's, at which the library traps, and the words of the message that tell how to mend it.
///
/// A table of these is tried entry by entry, each in a process of its own.
public struct Mistake: Sendable {
    /// The description of the mistake.
    public let name: String
    /// A part of what is said.
    public let message: String
    /// Does it.
    public let make: @Sendable () -> Void

    /// A mistake.
    public init(_ name: String, _ message: String, _ make: @escaping @Sendable () -> Void) {
        self.name = name
        self.message = message
        self.make = make
    }

    /// Returns whether the library explains how to correct it: optimised programs trap without a message.
    public func isExplained(in errors: [UInt8]?) -> Bool {
        #if DEBUG
            return String(decoding: errors ?? [], as: UTF8.self).contains(message)
        #else
            return true
        #endif
    }
}

/// A programming mistake at which a library traps, and words of the message that says how to correct it. Tests run each entry of
/// a table of these in a separate process.
public struct Mistake: Sendable {
    /// The description of the mistake.
    public let name: String
    /// A part of the message.
    public let message: String
    /// Makes the mistake.
    public let make: @Sendable () -> Void

    /// Creates an entry.
    public init(_ name: String, _ message: String, _ make: @escaping @Sendable () -> Void) {
        self.name = name
        self.message = message
        self.make = make
    }

    /// Returns whether the message says how to correct the mistake. Optimized programs trap without a message.
    public func isExplained(in errors: [UInt8]?) -> Bool {
        #if DEBUG
            return String(decoding: errors ?? [], as: UTF8.self).contains(message)
        #else
            return true
        #endif
    }
}

/// The number of calls that fill a mailbox.
package enum Flood {
    /// The number of calls.
    package static let size = 4_420
}

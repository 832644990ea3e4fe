/// A number of calls with which a thread sends more than makes a mailbox full.
package enum Flood {
    /// The number of calls.
    package static let size = 4_420
}

/// The owners of keys, each of which has one holder for a time, stored where all processes see the same.
///
/// A lease says whose turn it is. It need not be exact: what two owners write at once, because one does not know that its lease is over, is
/// kept apart by the logs themselves.
public protocol LeaseTable: Sendable {
    /// For how long a key is held after it was written last, by the clock of the servers. The same for all processes.
    var duration: Duration { get }

    /// Takes a key that nobody holds.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: Who takes it: a text of which each process has its own.
    /// - Returns: That it was taken; or who has it. One that the holder has already is written anew.
    /// - Throws: If nobody knows. Then it may have been taken.
    func take(_ key: String, for holder: String) async throws -> LeaseAnswer

    /// Writes a key again, so that it is held for another ``duration``.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: Who holds it.
    ///   - revision: The revision of the last time.
    /// - Returns: The new revision; nil if the key is another's, or gone.
    /// - Throws: If nobody knows. Then it may have been written.
    func renew(_ key: String, for holder: String, revision: UInt64) async throws -> UInt64?

    /// Gives a key back, if it is the holder's. Fails silently: it ends by itself.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: Who holds it.
    ///   - revision: The revision of the last time.
    func release(_ key: String, for holder: String, revision: UInt64) async
}

/// The result of an attempt to take a lease.
public enum LeaseAnswer: Sendable, Hashable {
    /// It is the caller's.
    case granted(revision: UInt64)
    /// Somebody else has it.
    case held(by: String)
}

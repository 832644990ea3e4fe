/// A table of keys, each held by one process for a limited time. All processes share it.
///
/// A lease selects the owner, and need not be exact: if an owner does not notice that its lease has expired, the logs refuse its
/// appends.
public protocol LeaseTable: Sendable {
    /// The time for which a key is held after each write, by the clock of the servers. The same for all processes.
    var duration: Duration { get }

    /// Takes a key that is not held.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: The id of the calling process.
    /// - Returns: The new revision, or the current holder. A key that the caller holds already is written again.
    /// - Throws: An error if the result is unknown: the key may have been taken.
    func take(_ key: String, for holder: String) async throws -> LeaseAnswer

    /// Writes a key again, so that it is held for another ``duration``.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: The id of the calling process, which holds the key.
    ///   - revision: The revision that the last write returned.
    /// - Returns: The new revision; nil if the key has another holder or has expired.
    /// - Throws: An error if the result is unknown: the key may have been written.
    func renew(_ key: String, for holder: String, revision: UInt64) async throws -> UInt64?

    /// Releases a key, if the holder has it. Fails silently, since the key expires by itself.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - holder: The id of the calling process, which holds the key.
    ///   - revision: The revision that the last write returned.
    func release(_ key: String, for holder: String, revision: UInt64) async
}

/// The result of an attempt to take a lease.
public enum LeaseAnswer: Sendable, Hashable {
    /// The caller holds the key.
    case granted(revision: UInt64)
    /// Another process holds the key.
    case held(by: String)
}

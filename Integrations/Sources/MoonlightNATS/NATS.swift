/// The servers of a NATS cluster with JetStream, and the time limits of calls.
///
/// ```swift
/// let cluster = NATS(["nats://a:4222", "nats://b:4222", "nats://c:4222"], replicas: 3)
/// ```
public struct NATS: Sendable, Hashable {
    /// The addresses of the servers.
    public var servers: [String] { didSet { Self.check(servers: servers) } }
    /// The number of servers that store each message: 1, or 3 or 5 in a cluster. An append is answered when a majority has stored
    /// it.
    public var replicas: Int
    /// The maximum time without an owner after an owner is lost, as long as the servers have leaders.
    ///
    /// The servers keep the key of a silent owner for a third of this time. The rest is for them to remove the key, and for
    /// another process to notice and to read the log.
    public var lease: Duration { didSet { Self.check(lease: lease) } }
    /// The time for which the servers keep a key after each write.
    var keyLife: Duration { lease / 3 }
    /// The time that a call waits for the servers before it fails.
    public var patience: Duration { didSet { Self.check(patience: patience) } }

    /// Creates the description of a cluster.
    ///
    /// - Parameters:
    ///   - servers: The addresses of the servers.
    ///   - replicas: The number of servers that store each message.
    ///   - lease: See ``lease``; from three seconds to a day.
    ///   - patience: The time that a call waits for the servers before it fails; less than the two minutes for which the servers
    ///     remember message ids.
    public init(_ servers: [String], replicas: Int = 1, lease: Duration = .seconds(12), patience: Duration = .seconds(10)) {
        Self.check(servers: servers)
        Self.check(lease: lease)
        Self.check(patience: patience)
        self.servers = servers
        self.replicas = replicas
        self.lease = lease
        self.patience = patience
    }

    private static func check(servers: [String]) {
        precondition(!servers.isEmpty, "at least one server is needed")
        precondition(!servers.contains { $0.utf8.contains(0) }, "the address of a server has a NUL: \(servers)")
    }

    private static func check(lease: Duration) {
        precondition(
            lease >= .seconds(3) && lease <= .seconds(86_400), "a lease must be between three seconds and a day: \(lease)")
    }

    private static func check(patience: Duration) {
        precondition(patience < .seconds(120), "patience must be less than two minutes: \(patience)")
    }
}

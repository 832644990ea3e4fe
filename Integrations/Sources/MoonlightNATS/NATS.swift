/// The servers of a NATS cluster with JetStream, and how long to wait for them.
///
/// ```swift
/// let cluster = NATS(["nats://a:4222", "nats://b:4222", "nats://c:4222"], replicas: 3)
/// ```
public struct NATS: Sendable, Hashable {
    /// The addresses of the servers.
    public var servers: [String] { didSet { Self.check(servers: servers) } }
    /// On how many servers everything is kept: 1, or 3 or 5 in a cluster. An append is answered when most of them have it.
    public var replicas: Int
    /// For how long, at most, what a process owned is nobody's after that process is lost, as long as the servers have leaders.
    ///
    /// The servers keep the key of an owner that is not heard of for a third of it. The rest is for them to remove the key, and for another
    /// process to notice, and to read the log.
    public var lease: Duration { didSet { Self.check(lease: lease) } }
    /// For how long the servers keep a key after it was written last.
    var keyLife: Duration { lease / 3 }
    /// The time that a call waits for the servers before it fails.
    public var patience: Duration { didSet { Self.check(patience: patience) } }

    /// Creates the description of a cluster.
    ///
    /// - Parameters:
    ///   - servers: The addresses of the servers.
    ///   - replicas: On how many servers everything is kept.
    ///   - lease: See ``lease``; from three seconds to a day.
    ///   - patience: How long a call waits for the servers before it fails; less than two minutes, for which the servers remember what
    ///     was sent.
    public init(_ servers: [String], replicas: Int = 1, lease: Duration = .seconds(12), patience: Duration = .seconds(10)) {
        Self.check(servers: servers)
        Self.check(lease: lease)
        Self.check(patience: patience)
        self.servers = servers
        self.replicas = replicas
        self.lease = lease
        self.patience = patience
    }

    private static func check(servers: [String]) { precondition(!servers.isEmpty, "at least one server is needed") }

    private static func check(lease: Duration) {
        precondition(lease >= .seconds(3) && lease <= .seconds(86_400), "set a lease between three seconds and a day")
    }

    private static func check(patience: Duration) {
        precondition(patience < .seconds(120), "patience is less than two minutes")
    }
}

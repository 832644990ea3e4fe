/// A database of a PostgreSQL server, and the time limits of calls.
///
/// ```swift
/// let database = PostgreSQL("host=db.internal dbname=shop user=shop")
/// let orders = try await Store(
///     reducer: orders, initialState: Orders(), environment: world,
///     durable: Durable(
///         storage: PostgreSQLStorage("orders", in: database), schema: Schema(OrderEffect.self), state: Schema(Orders.self)))
/// ```
/// The server must be version 14 or later. The tables are created or migrated when a log is opened; the page
/// `Documentation/PostgreSQL.md` describes them.
public struct PostgreSQL: Sendable, Hashable {
    /// The connection string for libpq: `host=… dbname=…`, or a URI. Missing parts come from the environment (`PGHOST` and so
    /// on).
    public var connection: String
    /// The schema of the database that has the tables.
    public var schema: String { didSet { Self.check(schema: schema) } }
    /// The time that a call waits for an unreachable server. Meanwhile, it reconnects and determines the result of the
    /// interrupted statements.
    public var patience: Duration
    /// The time to wait for one answer of the server before its connection is closed; at most a day.
    public var answerTime: Duration

    /// Creates the description of a database.
    ///
    /// - Parameters:
    ///   - connection: The connection string for libpq.
    ///   - schema: The schema that has the tables: at most 63 lowercase letters, digits and underscores.
    ///   - patience: The time that a call waits for the server before it fails.
    ///   - answerTime: The time to wait for one answer before the connection is closed.
    public init(
        _ connection: String = "", schema: String = "moonlight", patience: Duration = .seconds(10),
        answerTime: Duration = .seconds(10)
    ) {
        Self.check(schema: schema)
        self.connection = connection
        self.schema = schema
        self.patience = patience
        self.answerTime = answerTime
    }

    /// Traps if the name of a schema would have to be quoted, or would be truncated by the server.
    private static func check(schema: String) {
        precondition(
            (1...63).contains(schema.utf8.count)
                && schema.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 },
            "the name of a schema consists of at most 63 lowercase letters, digits and underscores: \(schema)")
    }
}

import MoonlightDurability

/// The versions of the tables, each with the statements that migrate to it from the previous one.
enum Migrations {
    static let all: [[String]] = [
        [
            """
            CREATE TABLE space (
                number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text COLLATE "C" NOT NULL UNIQUE,
                identity bigint NOT NULL,
                synced timestamptz)
            """,
            """
            CREATE TABLE member (
                space integer NOT NULL REFERENCES space ON DELETE CASCADE,
                id text COLLATE "C" NOT NULL,
                last bigint NOT NULL,
                writer bigint NOT NULL,
                due bigint,
                PRIMARY KEY (space, id)) WITH (fillfactor = 70)
            """,
            """
            CREATE TABLE record (
                space integer NOT NULL,
                id text COLLATE "C" NOT NULL,
                sequence bigint NOT NULL,
                schema bigint NOT NULL,
                payload bytea NOT NULL,
                PRIMARY KEY (space, id, sequence))
            """,
            """
            CREATE TABLE snapshot (
                space integer NOT NULL,
                id text COLLATE "C" NOT NULL,
                sequence bigint NOT NULL,
                effects bigint NOT NULL,
                state bigint NOT NULL,
                reducer bigint NOT NULL,
                payload bytea NOT NULL,
                PRIMARY KEY (space, id, sequence))
            """,
        ],
        // Due times are read when a fleet is opened.
        ["CREATE INDEX member_due ON member (space) WHERE due IS NOT NULL"],
        [
            """
            CREATE TABLE lease (
                key text COLLATE "C" PRIMARY KEY,
                holder text NOT NULL,
                revision bigint NOT NULL,
                expires timestamptz NOT NULL)
            """
        ],
    ]

    /// Creates or migrates the tables. Several processes may do so at once.
    ///
    /// - Throws: ``DurabilityError/storage(_:)`` if the tables have a later version.
    static func run(_ session: Session, upTo newest: Int = all.count) throws(DurabilityError) {
        let schema = session.database.schema
        let lock = Command("SELECT pg_advisory_xact_lock(1299148654, -1)")
        // An existing schema requires no privilege to create one.
        let isThere = try session.run(Command("SELECT to_regnamespace($1) IS NOT NULL", .text(schema))).isTrue(0, 0)
        if !isThere { _ = try session.run([lock, Command("CREATE SCHEMA IF NOT EXISTS \(schema)")]) }
        _ = try session.run([
            lock,
            Command(
                "CREATE TABLE IF NOT EXISTS version (single boolean PRIMARY KEY DEFAULT true CHECK (single), number integer NOT NULL)"
            ),
            Command("INSERT INTO version (number) VALUES (0) ON CONFLICT DO NOTHING"),
        ])
        while true {
            let version = Int(try session.run(Command("SELECT number FROM version")).number(0, 0) ?? 0)
            guard version <= newest else {
                throw .storage(
                    "the tables in the schema \(schema) have version \(version), but this program supports at most \(newest)")
            }
            if version == newest { return }
            // Fails by a division by zero, without a change, if another process has migrated meanwhile.
            let check = Command(
                "SELECT 1 / (CASE WHEN number = \(version) THEN 1 ELSE 0 END) FROM version FOR UPDATE")
            let raise = Command("UPDATE version SET number = \(version + 1)")
            do throws(DurabilityError) {
                _ = try session.run([lock, check] + all[version].map { Command($0) } + [raise])
            } catch {
                let now = Int(try session.run(Command("SELECT number FROM version")).number(0, 0) ?? 0)
                if now == version { throw error }
            }
        }
    }
}

/// A record of a log: the results of one turn of a loop. It is written atomically.
@_spi(Storage) public struct LogRecord: Sendable, Hashable {
    /// The number in the log, from 1, without gaps.
    public let sequence: UInt64
    /// The version of the schema of the effects in it.
    public let schema: UInt32
    /// The encoded entries.
    public let payload: [UInt8]

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - sequence: The number in the log, from 1.
    ///   - schema: The version of the schema of the effects in it.
    ///   - payload: The encoded entries.
    public init(sequence: UInt64, schema: UInt32, payload: [UInt8]) {
        self.sequence = sequence
        self.schema = schema
        self.payload = payload
    }
}

/// The state after a record, with the open work and the keys at that time.
@_spi(Storage) public struct LogSnapshot: Sendable, Hashable {
    /// The versions with which a snapshot was made. A snapshot of unknown versions is skipped.
    public struct Versions: Sendable, Hashable {
        /// The version of the schema of the effects.
        public let effects: UInt32
        /// The version of the schema of the state.
        public let state: UInt32
        /// The version of the reducer.
        public let reducer: UInt32

        /// Creates the versions of a snapshot.
        ///
        /// - Parameters:
        ///   - effects: The version of the schema of the effects.
        ///   - state: The version of the schema of the state.
        ///   - reducer: The version of the reducer.
        public init(effects: UInt32, state: UInt32, reducer: UInt32) {
            self.effects = effects
            self.state = state
            self.reducer = reducer
        }
    }

    /// The last record that it includes; 0 for none.
    public let sequence: UInt64
    /// The versions with which it was made.
    public let versions: Versions
    /// The encoded state, unfinished work and keys.
    public let payload: [UInt8]

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - sequence: The last record that it includes; 0 for none.
    ///   - versions: The versions with which it was made.
    ///   - payload: The encoded state, unfinished work and keys.
    public init(sequence: UInt64, versions: Versions, payload: [UInt8]) {
        self.sequence = sequence
        self.versions = versions
        self.payload = payload
    }
}

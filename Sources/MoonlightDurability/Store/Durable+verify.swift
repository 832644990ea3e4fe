import Moonlight

/// A snapshot that is not what the records before it lead to: `apply` has come to mean something else since it was made.
public struct SnapshotDifference: Sendable, Hashable, CustomStringConvertible {
    /// The last record that the snapshot includes.
    public let sequence: UInt64
    /// What is different: the snapshot has the values before, the fold those after.
    public let changes: [StateChange]

    /// The record and what is different, a line each.
    public var description: String {
        (["the snapshot of record \(sequence) differs from the fold:"] + changes.map { "    \($0)" }).joined(separator: "\n")
    }
}

extension Durable {
    /// Folds the whole log, and compares the state with each snapshot on the way.
    ///
    /// ```swift
    /// let differences = try await DurableOrders.folder("orders", schema: schema).verify(reducer, from: Orders())
    /// ```
    /// If there is a difference, `apply` is not what it was when the snapshot was made. Either mend it, or raise the version of the
    /// reducer, so that the snapshot is no longer believed. The log must not be open. Nothing is changed. As it begins with the oldest
    /// snapshot unless all records are there, keep history to have all of it verified.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - initialState: The state before any effect.
    /// - Returns: The snapshots that are not what the records before them lead to, oldest first.
    /// - Throws: The reason why the log cannot be read.
    public func verify<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State
    ) async throws(DurabilityError) -> [SnapshotDifference] {
        try await fold(reducer, from: initialState).differences
    }

    /// Folds the whole log.
    func fold<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State
    ) async throws(DurabilityError) -> (differences: [SnapshotDifference], state: State) {
        let coding = coding
        do {
            return try await withTaskExecutorPreference(LogExecutor(named: "verify")) {
                do {
                    let result = try await coding.compare(storage, reducer, from: initialState, keys: keys)
                    await storage.close()
                    return result
                } catch {
                    await storage.close()
                    throw error
                }
            }
        } catch { throw DurabilityError(wrapping: error) }
    }
}

extension SnapshotCoding where State: Equatable {
    func compare<Environment>(
        _ storage: any LogBackend, _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State,
        keys: KeyWindow
    ) async throws -> (differences: [SnapshotDifference], state: State) {
        var differences: [SnapshotDifference] = []
        var states: [UInt64: State] = [:]
        var books: [UInt64: LogBook<Event>] = [:]
        for sequence in try await storage.open() {
            guard let snapshot = try await storage.snapshot(at: sequence), doubt(snapshot.versions) == nil else { continue }
            var book = LogBook<Event>(keys)
            states[sequence] = try read(snapshot, into: &book)
            books[sequence] = book
        }
        func compare(_ recovered: Recovered<State, Event, Effect>) {
            guard let state = states[recovered.last], state != recovered.state else { return }
            differences.append(
                SnapshotDifference(sequence: recovered.last, changes: StateChange.between(state, recovered.state)))
        }
        var recovered = Recovered<State, Event, Effect>(state: initialState, book: LogBook(keys))
        let fold = { (record: LogRecord) in
            try recovered.fold(record, entries, reducer)
            compare(recovered)
        }
        do { _ = try await storage.read(after: 0, fold) } catch DurabilityError.missing(from: 1, to: let to, reason: let reason) {
            // The first records are gone: the oldest snapshot takes their place.
            guard let oldest = states.keys.min(), let state = states[oldest], let book = books[oldest] else {
                throw DurabilityError.missing(from: 1, to: to, reason: reason)
            }
            (recovered.state, recovered.book, recovered.last) = (state, book, oldest)
            _ = try await storage.read(after: oldest, fold)
        }
        return (differences, recovered.state)
    }
}

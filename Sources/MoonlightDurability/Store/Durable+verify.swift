import Moonlight

/// A snapshot that differs from the fold of the records before it, because `apply` has changed since.
public struct SnapshotDifference: Sendable, Hashable, CustomStringConvertible {
    /// The last record that the snapshot includes.
    public let sequence: UInt64
    /// The differences: from the values of the snapshot to those of the fold.
    public let changes: [StateChange]

    /// The record and the differences, one per line.
    public var description: String {
        (["the snapshot of record \(sequence) differs from the fold:"] + changes.map { "    \($0)" }).joined(separator: "\n")
    }
}

extension Durable {
    /// Folds the whole log, and compares the state with each snapshot.
    ///
    /// ```swift
    /// let differences = try await DurableOrders.folder("orders", schema: schema).verify(reducer, from: Orders())
    /// ```
    /// A difference means that `apply` has changed since the snapshot was made. Either correct `apply`, or raise
    /// `reducerVersion`, so that the snapshot is skipped. The log must not be open, and is not changed. The fold begins with the
    /// oldest snapshot unless the first records exist, and continues with the snapshot of a resumption after a failure; to verify
    /// everything, keep history.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - initialState: The state before any effect.
    /// - Returns: The snapshots that differ from the fold, oldest first.
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
        while true {
            do {
                _ = try await storage.read(after: recovered.last, fold)
                return (differences, recovered.state)
            } catch DurabilityError.missing(let from, let to, let reason) {
                // If the first records are gone, the fold begins with the oldest snapshot. Records that were not written before a
                // resumption are in its snapshot.
                let next = from == 1 ? states.keys.min() : to
                guard let next, next > recovered.last, let state = states[next], let book = books[next] else {
                    throw DurabilityError.missing(from: from, to: to, reason: reason)
                }
                (recovered.state, recovered.book, recovered.last) = (state, book, next)
                recovered.followUps = []
            }
        }
    }
}

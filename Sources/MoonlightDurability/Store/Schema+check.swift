import Moonlight

extension Schema {
    /// Folds all old logs in a folder, so that a test finds effects that can no longer be read or applied.
    ///
    /// ```swift
    /// @Test func oldLogs() async throws {
    ///     let states = try await schema.check(logsIn: "Tests/OldLogs", reducer: orders, from: Orders(), events: Schema(Event.self))
    ///     #expect(states["v1"]?.total == 12)
    /// }
    /// ```
    /// Copy the folder of a log there with each release. It is not changed.
    ///
    /// - Parameters:
    ///   - folder: The path of a folder of log folders.
    ///   - reducer: The reducer.
    ///   - initialState: The state before any effect.
    ///   - state: The schema of states, for snapshots.
    ///   - events: The schema of events, for interrupted work; nil for JSON.
    /// - Returns: The last state of each log, by the name of its folder.
    /// - Throws: ``DurabilityError/oldLog(name:reason:)`` if a log cannot be folded, or if a snapshot differs from the fold.
    public func check<State: Equatable & Sendable, Event: Codable & Sendable, Environment>(
        logsIn folder: String, reducer: Reducer<State, Event, Value, Environment>, from initialState: State, state: Schema<State>,
        events: Schema<Event>? = nil
    ) async throws(DurabilityError) -> [String: State] where Value: Sendable {
        let files = SystemFiles()
        var states: [String: State] = [:]
        for name in try files.names(in: folder).sorted() {
            let path = folder + "/" + name
            let names: [String]
            do throws(DurabilityError) { names = try files.names(in: path) } catch {
                // It is a file, or was removed meanwhile.
                if error.isMissingFile { continue }
                throw .oldLog(name: name, reason: "\(error)")
            }
            guard LogKind.store.isFound(in: names) else { continue }
            let durable = Durable(
                storage: FolderStorage(path, files: files, isReadOnly: true), schema: self, state: state,
                events: events ?? Schema<Event>(Event.self))
            let (differences, last): ([SnapshotDifference], State)
            do throws(DurabilityError) { (differences, last) = try await durable.fold(reducer, from: initialState) } catch {
                throw .oldLog(name: name, reason: "\(error)")
            }
            if let difference = differences.first { throw .oldLog(name: name, reason: "\(difference)") }
            states[name] = last
        }
        return states
    }
}

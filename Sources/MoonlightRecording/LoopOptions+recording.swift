import Moonlight

extension LoopOptions where State: Sendable, Event: Sendable, Effect: Sendable {
    /// Creates options whose journal is a recording, which also receives the initial state.
    ///
    /// For a second journal, replace `LoopOptions.journal` by a closure that also calls `recording.take`.
    ///
    /// - Parameters:
    ///   - name: See `LoopOptions.name`.
    ///   - recording: Receives the records.
    ///   - coalesce: See `LoopOptions.coalesce`.
    ///   - inbox: See `LoopOptions.inbox`.
    ///   - effectLimit: See `LoopOptions.effectLimit`; at least 1.
    ///   - stepLimit: See `LoopOptions.stepLimit`; at least 1.
    ///   - cancelsRunaway: See `LoopOptions.cancelsRunaway`.
    ///   - onRunaway: See `LoopOptions.onRunaway`.
    ///   - taskLocals: See `LoopOptions.taskLocals`.
    @inlinable
    public init(
        name: String? = nil,
        journal recording: Recording<State, Event, Effect>,
        coalesce: (@Sendable (Event, Event) -> Event?)? = nil,
        inbox: InboxBound = .unbounded,
        effectLimit: Int? = nil,
        stepLimit: Int? = nil,
        cancelsRunaway: Bool = false,
        onRunaway: (@Sendable (RunawayReport) -> Void)? = nil,
        taskLocals: [CarriedLocal] = []
    ) {
        self.init(
            name: name, journal: { recording.take($0) }, coalesce: coalesce, inbox: inbox, effectLimit: effectLimit,
            stepLimit: stepLimit, cancelsRunaway: cancelsRunaway, onRunaway: onRunaway, taskLocals: taskLocals)
        onBegin = { recording.begin(with: $0, causeHere: $1) }
    }
}

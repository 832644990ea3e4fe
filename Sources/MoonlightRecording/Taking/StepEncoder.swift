import Moonlight
import Streams

/// An encoder of entries as steps, within the bounds of a recording. Used by one thread at a time.
struct StepEncoder<State: Equatable & Sendable, Event: Sendable, Effect: Sendable> {
    typealias Entry = RecordingEntry<State, Event, Effect>

    /// The kept steps. Call ``clean()`` before they leave the process.
    var archive: Archive
    /// The header before redaction.
    var header: RecordingHeader
    private let keeping: RecordingBound
    private var redactor: Redactor<State>
    /// The state after the last step; nil if none is known yet.
    var state: TrackedState<State>?
    /// The tree of the state without the redacted values; nil if nothing is redacted.
    private var shown: StateTree?
    private var start: ContinuousClock.Instant?
    /// The number of the last step.
    private(set) var number = 0
    private var lastTime = 0
    /// The numbers of the steps for records of the journal, and for calls and timers.
    var stepOfRecord: [Int: Int] = [:]
    var stepOfCall: [Int: Int] = [:]
    /// The bytes of text that the steps of a segment may refer to before the next segment begins.
    var manyReferred = RecordingFormat.manyReferred
    /// True if texts of segments have changed, or an empty segment was replaced, so that a file must be rewritten.
    var hasChangedPast = false
    private var waiting = WaitingBound()

    init(_ header: RecordingHeader, keeping: RecordingBound, redactor: Redactor<State>) {
        archive = Archive(header)
        self.header = header
        self.keeping = keeping
        self.redactor = redactor
    }

    /// The number of entries that may be pending.
    var mostWaiting: Int { waiting.count(within: keeping) }

    /// Adds steps for entries.
    mutating func add(_ entries: [Entry], lost: Int, stateOfLost: State?) {
        begin(lost: lost, stateOfLost: stateOfLost)
        for entry in entries { _ = add(entry) }
        bound()
    }

    // MARK: Redaction

    /// Learns values to redact. To be called before entries that may contain them are added.
    mutating func learn(_ values: [RedactedValue]) { redactor.learn(values) }

    /// Removes the secrets that were learned since the last call from all earlier steps.
    mutating func clean() {
        var shown = header
        shown.start = archive.header.start
        if let news = redactor.takeNews() {
            for index in archive.segments.indices where archive.segments[index].replaceTexts(news.redacted) {
                hasChangedPast = true
            }
        }
        for text in [\RecordingHeader.loop, \.state, \.event, \.effect, \.environment, \.file] {
            shown[keyPath: text] = redactor.redacted(shown[keyPath: text])
        }
        archive.header = shown
    }

    /// Forgets old values, after all entries that may contain them have been added.
    mutating func forget() {
        if redactor.hasManyNews { clean() }
        redactor.forget()
    }

    /// Begins to add steps that follow lost ones.
    mutating func begin(lost: Int, stateOfLost: State?) {
        if let stateOfLost { _ = setState(stateOfLost) }
        // A lost beginning of a loop is no step, but may have changed the state.
        guard lost > 0 || stateOfLost != nil else { return }
        number += lost
        // Lost steps belong to no segment.
        openSegment()
        if lost == 0 { return }
        var step = StepRecord()
        step.text = "\(lost) step\(lost == 1 ? " was" : "s were") lost: the program was faster than the encoding"
        (step.cause, step.time) = (0, lastTime)
        number += 1
        step.number = number
        archive.segments[archive.segments.count - 1].add(step)
    }

    /// Adds a step for an entry.
    ///
    /// - Returns: True if a loop has begun, whose entries may be much larger than those before.
    mutating func add(_ entry: Entry) -> Bool {
        switch entry {
        case .begin(let beginning):
            if start == nil {
                start = beginning.time
                archive.header.start = TimeStride(WallTime.now.sinceEpoch - beginning.time.duration(to: .now)).nanoseconds
            }
            stepOfRecord = [:]
            _ = setState(beginning.state)
            waiting.begin(with: state?.tree)
            openSegment()
            return true
        case .journal(let record): add(record)
        case .world(let entry): add(entry)
        }
        return false
    }

    // MARK: The state

    /// Sets the state after a step; returns the changes.
    mutating func setState(_ value: State) -> [TreeChange] {
        guard let old = state?.tree else {
            let first = TrackedState(value)
            state = first
            if !redactor.isEmpty { shown = redactor.redacted(first.tree) }
            return []
        }
        let changes = state?.change(to: value) ?? []
        waiting.note(changes, in: old)
        guard let now = state?.tree, let shown else { return changes }
        let (visible, tree) = redactor.visible(changes, in: shown, of: now)
        self.shown = tree
        return visible
    }

    /// Begins a segment, with the whole state.
    mutating func openSegment() {
        if archive.segments.last?.count == 0 {
            archive.segments.removeLast()
            hasChangedPast = true
        }
        state?.refresh()
        if let tree = state?.tree, shown != nil { shown = redactor.redacted(tree) }
        let json = state.flatMap { state in
            Encoding.json(state.value).flatMap { redactor.redacted(json: $0, of: state.value) }
        }
        let isTooLarge = json.map { $0.utf8.count > RecordingFormat.mostJSON } ?? false
        archive.segments.append(
            Segment(
                first: number + 1, time: lastTime, state: (shown ?? state?.tree).map(cleaned),
                json: isTooLarge ? "" : redactor.redacted(json ?? "")))
        bound()
    }

    /// Opens a segment if none is open, or if the open one is full. To be called before a step changes the state.
    mutating func makeRoom() {
        if let segment = archive.segments.last, segment.count < keeping.segment, segment.grown < 1 << 20,
            segment.newlyReferred < manyReferred
        {
            return
        }
        openSegment()
    }

    /// Adds a step.
    mutating func add(_ step: StepRecord, at time: ContinuousClock.Instant) {
        let start = start ?? time
        if self.start == nil { self.start = time }
        number += 1
        var step = step
        step.number = number
        step.time = min(max(0, TimeStride(start.duration(to: time)).nanoseconds), RecordingFormat.latest)
        waiting.note(step)
        if !redactor.isEmpty {
            step.text = redactor.redacted(step.text)
            step.source = redactor.redacted(step.source)
            step.json = redactor.redacted(step.json)
            step.child = redactor.redacted(step.child)
            step.name = redactor.redacted(step.name)
            step.changes = step.changes.map { TreeChange($0.path.map(redactor.redacted), $0.value.map(cleaned)) }
        }
        archive.segments[archive.segments.count - 1].add(step)
        lastTime = step.time
    }

    /// Returns a tree without the secrets.
    private func cleaned(_ tree: StateTree) -> StateTree {
        if redactor.isEmpty { return tree }
        switch tree {
        case .leaf(let text): return .leaf(redactor.redacted(text))
        case .node(let shape, let head, let parts):
            return .node(
                shape, redactor.redacted(head), parts.map { .init(redactor.redacted($0.name), cleaned($0.value)) })
        }
    }

    // MARK: Bounds

    /// Removes the oldest segments while the others suffice.
    mutating func bound() {
        var (steps, bytes) = (0, 0)
        for segment in archive.segments { (steps, bytes) = (steps + segment.count, bytes + segment.size) }
        var gone = 0
        while archive.segments.count - gone > 1 {
            let oldest = archive.segments[gone]
            guard steps - oldest.count >= keeping.steps || bytes > keeping.bytes else { break }
            steps -= oldest.count
            bytes -= oldest.size
            gone += 1
        }
        guard gone > 0 else { return }
        archive.segments.removeFirst(gone)
        guard let first = archive.segments.first?.first else { return }
        // Old numbers are removed only occasionally, to keep the cost per step low.
        let many = 2 * min(max(1024, keeping.steps), .max / 2)
        if stepOfRecord.count > many { stepOfRecord = stepOfRecord.filter { $0.value >= first } }
        if stepOfCall.count > many { stepOfCall = stepOfCall.filter { $0.value >= first } }
    }
}

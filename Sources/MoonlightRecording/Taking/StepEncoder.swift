import Moonlight
import Streams

/// Makes entries into steps, and keeps them within the bounds of a recording. One thread at a time.
struct StepEncoder<State: Equatable & Sendable, Event: Sendable, Effect: Sendable> {
    typealias Entry = RecordingEntry<State, Event, Effect>

    /// The steps that are kept. Before they leave the process, ``clean()`` is to be called.
    var archive: Archive
    /// The header as it is, with what is to be redacted.
    var header: RecordingHeader
    private let keeping: RecordingBound
    private var redactor: Redactor<State>
    /// The state after the last step; nil if none is known yet.
    var state: TrackedState<State>?
    /// Its tree without what is redacted; nil if nothing is to be redacted.
    private var shown: StateTree?
    private var start: ContinuousClock.Instant?
    /// The number of the last step.
    private(set) var number = 0
    private var lastTime = 0
    /// The numbers of the steps for records of the journal, and for calls and timers.
    var stepOfRecord: [Int: Int] = [:]
    var stepOfCall: [Int: Int] = [:]
    /// The bytes of text that the steps of a segment may refer to before another segment begins.
    var manyReferred = RecordingFormat.manyReferred
    /// Whether texts of segments that were complete have changed, so that a file has to be written anew.
    var hasChangedPast = false
    private var waiting = WaitingBound()

    init(_ header: RecordingHeader, keeping: RecordingBound, redactor: Redactor<State>) {
        archive = Archive(header)
        self.header = header
        self.keeping = keeping
        self.redactor = redactor
    }

    /// How many entries may wait to be encoded.
    var mostWaiting: Int { waiting.count(within: keeping) }

    /// Adds steps for entries.
    mutating func add(_ entries: [Entry], lost: Int, stateOfLost: State?) {
        begin(lost: lost, stateOfLost: stateOfLost)
        for entry in entries { _ = add(entry) }
        bound()
    }

    // MARK: What is redacted

    /// Learns values that are to be kept out. To be called before the entries are added that may carry them.
    mutating func learn(_ values: [RedactedValue]) { redactor.learn(values) }

    /// Removes what was learnt from everything that was kept before.
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
        if shown == archive.header { return }
        if !archive.header.loop.isEmpty { hasChangedPast = true }
        archive.header = shown
    }

    /// Forgets old values, now that all entries which may carry them have been added.
    mutating func forget() {
        if redactor.hasManyNews { clean() }
        redactor.forget()
    }

    /// Begins to add steps, the first of which follow others that were lost.
    mutating func begin(lost: Int, stateOfLost: State?) {
        if let stateOfLost { _ = setState(stateOfLost) }
        guard lost > 0 else { return }
        number += lost
        // What was lost belongs to no segment.
        openSegment()
        var step = StepRecord()
        step.text = "\(lost) step\(lost == 1 ? " was" : "s were") lost: the program was faster than the encoding"
        (step.cause, step.time) = (0, lastTime)
        number += 1
        step.number = number
        archive.segments[archive.segments.count - 1].add(step)
    }

    /// Adds a step for an entry.
    ///
    /// - Returns: Whether a loop has begun, whose entries may be much larger than those before.
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

    /// Takes the state after a step; returns what has changed.
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
        if archive.segments.last?.count == 0 { archive.segments.removeLast() }
        state?.refresh()
        if let tree = state?.tree, shown != nil { shown = redactor.redacted(tree) }
        let json = state.flatMap { state in
            Encoding.json(state.value).flatMap { redactor.redacted(json: $0, of: state.value) }
        }
        archive.segments.append(
            Segment(
                first: number + 1, time: lastTime, state: (shown ?? state?.tree).map(cleaned), json: redactor.redacted(json ?? "")
            ))
        bound()
    }

    /// Opens a segment if none is open, or if the open one is full. To be called before the step changes the state.
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

    /// Returns a tree in which the secrets stand nowhere.
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

    /// Lets go of the oldest segments while enough is kept without them.
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
        // What is forgotten is looked for now and then, so that it costs little for each step.
        let many = 2 * max(1024, keeping.steps)
        if stepOfRecord.count > many { stepOfRecord = stepOfRecord.filter { $0.value >= first } }
        if stepOfCall.count > many { stepOfCall = stepOfCall.filter { $0.value >= first } }
    }
}

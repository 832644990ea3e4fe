import Moonlight
import MoonlightTesting

/// Makes entries into steps, and keeps them within the bounds of a recording. One thread at a time.
struct StepEncoder<State: Equatable & Sendable, Event: Sendable, Effect: Sendable> {
    typealias Entry = RecordingEntry<State, Event, Effect>

    private(set) var archive: Archive
    private let keeping: RecordingBound
    private var redactor: Redactor<State>
    /// The state after the last step, with its tree; nil if none is known yet.
    private var state: (value: State, tree: StateTree)?
    private var start: ContinuousClock.Instant?
    /// The number of the last step.
    private(set) var number = 0
    /// The numbers of the steps for records of the journal, and for calls and timers.
    private var stepOfRecord: [Int: Int] = [:]
    private var stepOfCall: [Int: Int] = [:]
    /// The bytes of text that the steps of a segment may refer to before another segment begins.
    var manyReferred = RecordingFormat.manyReferred
    /// Whether texts of segments that were complete have changed, so that a file has to be written anew.
    var hasChangedPast = false

    init(_ header: RecordingHeader, keeping: RecordingBound, redactor: Redactor<State>) {
        archive = Archive(header)
        (self.keeping, self.redactor) = (keeping, redactor)
    }

    /// The bytes that a step takes on average.
    var averageStep: Int {
        let count = archive.segments.reduce(0) { $0 + $1.count }
        return count == 0 ? 256 : max(16, archive.segments.reduce(0) { $0 + $1.size } / count)
    }

    /// Adds steps for entries.
    mutating func add(_ entries: [Entry], lost: Int, stateOfLost: State?) {
        if let stateOfLost { setState(stateOfLost) }
        if lost > 0 {
            number += lost
            // What was lost belongs to no segment.
            openSegment()
        }
        for entry in entries { add(entry) }
        bound()
    }

    private mutating func add(_ entry: Entry) {
        switch entry {
        case .begin(let value, let time):
            if start == nil {
                start = time
                archive.header.start = Self.nanoseconds(WallTime.now.sinceEpoch - time.duration(to: .now))
            }
            stepOfRecord = [:]
            setState(value)
            openSegment()
        case .journal(let record): add(record)
        case .world(let entry): add(entry)
        }
    }

    private mutating func setState(_ value: State) {
        if !redactor.isEmpty, redactor.learn(value) {
            let redactor = redactor
            for index in archive.segments.indices { archive.segments[index].replaceTexts(redactor.redacted) }
            hasChangedPast = !archive.segments.isEmpty
        }
        state = (
            value, redactor.redacted(TreeMaker.tree(of: value, was: redactor.isEmpty ? state.map { ($0.value, $0.tree) } : nil))
        )
    }

    private mutating func openSegment() {
        if archive.segments.last?.count == 0 { archive.segments.removeLast() }
        let json = state.flatMap { state in
            Encoding.json(state.value).flatMap { redactor.redacted(json: $0, of: state.value) }
        }
        archive.segments.append(
            Segment(
                first: number + 1, time: lastTime, state: state.map { cleaned($0.tree) }, json: redactor.redacted(json ?? "")))
    }

    private var lastTime = 0

    /// Opens a segment if none is open, or if the open one is full. To be called before the step changes the state.
    private mutating func makeRoom() {
        if let segment = archive.segments.last, segment.count < keeping.segment, segment.size - segment.base.count < 1 << 20,
            segment.referred < manyReferred
        {
            return
        }
        openSegment()
    }

    private mutating func add(_ step: StepRecord, at time: ContinuousClock.Instant) {
        let start = start ?? time
        if self.start == nil { self.start = time }
        number += 1
        var step = step
        step.number = number
        step.time = min(max(0, Self.nanoseconds(start.duration(to: time))), RecordingFormat.latest)
        if !redactor.isEmpty {
            step.text = redactor.redacted(step.text)
            step.source = redactor.redacted(step.source)
            step.json = redactor.redacted(step.json)
            step.child = redactor.redacted(step.child)
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

    private static func nanoseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeds) = Int(product).addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return overflows || exceeds ? (seconds < 0 ? .min : .max) : sum
    }

    // MARK: The journal

    private mutating func add(_ record: JournalRecord<State, Event, Effect>) {
        if let loop = record.loop, archive.header.loop.isEmpty { archive.header.loop = loop }
        if state == nil, case .effect(_, let before, _) = record.step {
            setState(before)
            openSegment()
        }
        makeRoom()
        var step = StepRecord()
        step.cause = record.cause.map { stepOfRecord[$0] ?? 0 }
        switch record.step {
        case .event(let event): describe(event, .event, &step)
        case .rejected(let event, let error):
            describe(event, .rejected, &step)
            step.text += ": \(text(of: error))"
            step.child = path(of: error)
        case .effectRejected(let effect, let error):
            step.kind = .effectRejected
            step.text = "\(Differences.describe(effect)): \(text(of: error))"
            step.child = path(of: error)
        case .effect(let effect, let before, let after):
            step.kind = .effect
            step.text = Differences.describe(effect)
            step.json = Encoding.json(effect) ?? ""
            let old = state?.tree
            if before != after { setState(after) }
            if let old, let new = state?.tree, before != after { step.changes = old.changes(to: new) }
        case .job(let job):
            step.kind = .job
            step.child = job.id.path.description
            step.text = "\(job.id) \(text(of: job.step))"
        case .rule(let rule):
            step.kind = .rule
            step.child = rule.path.description
            step.text = "\(rule.name) \(text(of: rule.step))"
        case .coalesced(let event, let count):
            step.text = "\(count) events were folded, the last of them \(Differences.describe(event))"
        case .overflowed(let event, let count):
            step.text = "\(count) events found no room, the last of them \(Differences.describe(event))"
        case .runaway(let steps, let chain):
            step.text = "it runs away: \(steps) events without anything from outside: \(chain.joined(separator: ", "))"
        case .ended(let isCancelled):
            step.kind = .ended
            step.text = isCancelled ? "it was cancelled" : "it ended"
        }
        add(step, at: record.time)
        stepOfRecord[record.number] = number
    }

    private func describe(_ event: Event, _ kind: StepRecord.Kind, _ step: inout StepRecord) {
        step.kind = kind
        step.text = Differences.describe(event)
        step.source = SwiftSource.of(event)
        step.json = Encoding.json(event) ?? ""
    }

    private func text(of error: any Error) -> String { (error as? Rejection)?.description ?? "\(error)" }
    private func path(of error: any Error) -> String { (error as? Rejection)?.path.description ?? "" }

    private func text(of step: JobRecord.Step) -> String {
        switch step {
        case .started: "started"
        case .finished: "finished"
        case .cancelled: "was cancelled"
        case .replaced: "was replaced"
        case .ignored: "was ignored"
        case .refused(let error): "was refused: \(error)"
        }
    }

    private func text(of step: RuleRecord.Step) -> String {
        switch step {
        case .fired(let events): "fired, with \(events) event\(events == 1 ? "" : "s")"
        case .blocked(let given): "was blocked by given number \(given + 1)"
        case .failed(let given, let error): "failed at given number \(given + 1): \(error)"
        }
    }

    // MARK: The world

    private mutating func add(_ entry: WorldEntry) {
        makeRoom()
        var step = StepRecord()
        step.cause = entry.cause.map { stepOfRecord[$0] ?? 0 }
        switch entry.what {
        case .call(let call):
            step.kind = .call
            describe(call, &step)
        case .answer(let call, let answer, let isLate):
            guard let caller = stepOfCall[call] else { return }
            step.kind = .answer
            // An answer comes from outside; a cancellation comes from the event that led to it.
            if answer.outcome != .cancelled { step.cause = nil }
            (step.call, step.isLate) = (caller, isLate)
            describe(answer, &step)
            if answer.outcome != .sent { stepOfCall[call] = nil }
        case .result(let call, let answer):
            step.kind = .result
            describe(call, &step)
            let text = step.text
            describe(answer, &step)
            step.text = "\(text) is \(step.text)"
        case .timer(let span):
            step.kind = .timer
            step.span = min(max(0, Self.nanoseconds(span)), RecordingFormat.latest)
            step.text = "a timer is set: \(span)"
        case .fired:
            guard let setter = stepOfCall[entry.id] else { return }
            step.kind = .fired
            step.cause = nil
            step.call = setter
            step.text = "the timer of step \(setter) is due"
        }
        add(step, at: entry.time)
        switch entry.what {
        case .call, .timer: stepOfCall[entry.id] = number
        default: break
        }
    }

    private func describe(_ call: RecordedCall, _ step: inout StepRecord) {
        step.name = call.name
        step.text = call.text()
        step.source = call.source()
    }

    private func describe(_ answer: RecordedAnswer, _ step: inout StepRecord) {
        step.outcome = answer.outcome
        guard let value = answer.value else {
            step.text = answer.outcome == .cancelled ? "is cancelled" : "finishes"
            return
        }
        step.source = SwiftSource.of(value, isTypeKnown: answer.isTypeKnown)
        step.json = Encoding.json(value) ?? ""
        step.text =
            answer.outcome == .failure ? "\(value)" : value is Void ? "()" : Differences.describe(value)
    }

    // MARK: Bounds

    /// Lets go of the oldest segments while enough is kept without them.
    private mutating func bound() {
        var steps = archive.segments.reduce(0) { $0 + $1.count }
        var bytes = archive.segments.reduce(0) { $0 + $1.size }
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
        guard let first = archive.segments.first?.first, stepOfRecord.count > 2 * max(1024, keeping.steps) else { return }
        stepOfRecord = stepOfRecord.filter { $0.value >= first }
    }
}

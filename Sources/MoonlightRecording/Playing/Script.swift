import Moonlight

/// The input of a program, in an order in which it can be replayed: events, answers, and time.
///
/// The recorded program ran on several threads. There, the consequences of an answer may come after other events; in a plan,
/// all consequences precede the next input. So an answer is placed where its first consequence was.
package struct Script {
    /// An input.
    package struct Action {
        package enum What {
            case event(source: String, json: String, text: String)
            /// `number` is the number of the call among those with the same arguments; nil if it is the only one.
            case answer(Answer, number: Int?)
            case time(Int)
        }

        package let what: What
        /// The step of the recording.
        package let step: Int
        /// The number of the step before which it is played.
        package let place: Int
        /// The step of the event whose effects it continues; 0 if it is unknown.
        package let owner: Int
        /// True for an answer that was given before its call returned.
        package var isAtOnce = false
        /// True if the event itself is rejected.
        package var isRejected = false
        /// True if all its consequences precede the next action: only then the state can be compared.
        package var isSettled = true
        /// The last step before the next action.
        package var last = 0
    }

    package struct Answer {
        package let name: String
        /// The description of the call: `find("mo")`.
        package let call: String
        /// The arguments in Swift, in parentheses.
        package let arguments: String
        package let outcome: StepRecord.Outcome
        package let source: String
        package let json: String
        package let text: String
        package let isLate: Bool
    }

    /// The step after which the script begins.
    package let start: Int
    /// True if the program's feedback sends the events that effects cause.
    package let hasFeedback: Bool
    private let givesAtOnce: Bool
    private let isRedacted: Bool
    /// True if feedback cannot be part of a replay: it waits for answers or time, or its beginning was lost. The events that it
    /// then sends cannot be distinguished from events from outside.
    package private(set) var feedbackWaits = false
    package private(set) var actions: [Action] = []
    /// The results of plain functions, in order, by the name of the function.
    package private(set) var results: [String: [(source: String, json: String, step: Int)]] = [:]
    /// The answers that functions have given before their calls returned, for each call in order, by the description of the
    /// call. They are actions instead in a script whose stubs cannot give them.
    package private(set) var answersAtOnce: [String: [(step: Int, answers: [(step: Int, answer: Answer)])]] = [:]
    /// The names of the functions that were called.
    package private(set) var names: Set<String> = []
    /// Answers to calls, and firings of timers, from before the script, which cannot be played.
    package private(set) var unanswerable: [Int] = []
    /// The first step that nothing before it in the script leads to: it follows from lost steps, or belongs to another loop. From
    /// there on, the states of a replay are not those of the recording. Nil if there is none.
    package private(set) var firstForeign: Int?
    /// The rejections, in the order of the steps.
    package private(set) var rejections: [Int] = []

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - reader: The recording.
    ///   - last: The last step.
    ///   - hasFeedback: True if the plan has the program's feedback, which sends the events that effects cause. Otherwise
    ///     they are played as events from outside.
    ///   - givesAtOnce: True if the stubs of the plan give the answers of ``answersAtOnce``.
    package init(
        _ reader: RecordingReader, to last: Int = .max, hasFeedback: Bool = false, givesAtOnce: Bool = false
    ) throws(RecordingError) {
        start = (reader.numbers?.lowerBound ?? 1) - 1
        self.hasFeedback = hasFeedback
        self.givesAtOnce = givesAtOnce
        isRedacted = reader.header.isRedacted
        var steps = try reader.steps()
        for index in steps.indices { if let cause = steps[index].cause, cause <= start { steps[index].cause = 0 } }
        if start > 0 { feedbackWaits = true }
        make(steps)
        cut(after: last)
    }

    /// Removes the actions after a step. The later consequences of a kept action remain: in a plan an action is performed as
    /// a whole.
    private mutating func cut(after last: Int) {
        answersAtOnce = answersAtOnce.mapValues { calls in
            calls.map { call in (call.step, call.answers.filter { $0.step <= last }) }
        }
        guard let count = actions.firstIndex(where: { $0.place > last }) else { return }
        actions.removeSubrange(count...)
        let end = actions.last?.last ?? start
        for name in results.keys { results[name]?.removeAll { $0.step > end } }
        unanswerable.removeAll { $0 > end }
        rejections.removeAll { $0 > end }
    }

    /// Returns the key of a call in ``answersAtOnce``. Arguments that are redacted differ in a plan.
    package func answerKey(_ name: String, _ call: String) -> String { isRedacted ? name : call }

    private static func firstForeign(_ steps: [StepRecord]) -> Int? {
        var (last, hasEnded) = (steps.first.map { $0.number - 1 } ?? 0, false)
        for step in steps {
            if step.number > last + 1 { return step.number }
            last = step.number
            switch step.kind {
            case .event: if hasEnded { return step.number }
            case .ended: hasEnded = true
            case .rejected, .rule, .note: break
            default: if step.cause == 0 { return step.number }
            }
        }
        return nil
    }

    private mutating func give(_ answer: Answer, at number: Int, to call: StepRecord) {
        let key = answerKey(call.name, call.text)
        guard let index = answersAtOnce[key]?.lastIndex(where: { $0.step == call.number }) else { return }
        answersAtOnce[key]?[index].answers.append((number, answer))
    }

    private mutating func make(_ steps: [StepRecord]) {
        let kinds = Dictionary(steps.map { ($0.number, $0.kind) }, uniquingKeysWith: { first, _ in first })
        var calls: [Int: StepRecord] = [:]
        var order: [String: [Int]] = [:]
        for step in steps where step.kind == .call || step.kind == .timer {
            calls[step.number] = step
            let isOfFeedback = step.cause.map { kinds[$0] == .effect } ?? true
            if isOfFeedback { feedbackWaits = true }
            // A plan makes no calls of lost events, and without its feedback none of these.
            if step.kind == .call, step.cause != 0, hasFeedback || !isOfFeedback {
                order[step.name + step.text, default: []].append(step.number)
                if givesAtOnce { answersAtOnce[answerKey(step.name, step.text), default: []].append((step.number, [])) }
            }
        }
        let consequences = ConsequenceSteps(steps, calls)
        firstForeign = Self.firstForeign(steps)
        var found: [Action] = []
        var hasTimers = false
        var (atOnce, answeredLater): (Set<Int>, Set<Int>) = ([], [])
        for step in steps {
            switch step.kind {
            case .event where step.cause == nil || !hasFeedback:
                found.append(
                    Action(
                        what: .event(source: step.source, json: step.json, text: step.text), step: step.number,
                        place: step.number,
                        owner: step.number))
            case .answer where step.outcome != .cancelled:
                guard let call = calls[step.call], call.cause != 0 else {
                    unanswerable.append(step.number)
                    continue
                }
                let answer = Answer(
                    name: call.name, call: call.text, arguments: call.source, outcome: step.outcome, source: step.source,
                    json: step.json, text: step.text, isLate: step.isLate)
                // An answer that was given at once has a cause. One that follows a later answer must still follow it.
                if step.cause != nil, !answeredLater.contains(step.call) {
                    atOnce.insert(step.number)
                    if givesAtOnce {
                        give(answer, at: step.number, to: call)
                        continue
                    }
                } else {
                    answeredLater.insert(step.call)
                }
                // The call was made by feedback, or by an observer of the states: the events that its answers caused are in
                // the recording.
                guard let owner = call.cause, kinds[owner] != .effect else { continue }
                let equal = order[call.name + call.text] ?? []
                let place = consequences.place(of: step.number, owner: owner)
                found.append(
                    Action(
                        what: .answer(answer, number: equal.count > 1 ? equal.count(upTo: call.number) : nil),
                        step: step.number, place: place, owner: owner))
            case .result:
                names.insert(step.name)
                if step.cause == 0 || !hasFeedback && step.cause.flatMap({ kinds[$0] }) == .effect { continue }
                results[step.name, default: []].append((step.source, step.json, step.number))
            case .call: names.insert(step.name)
            case .timer: hasTimers = true
            case .fired:
                guard calls[step.call] != nil else {
                    unanswerable.append(step.number)
                    continue
                }
                let owner = calls[step.call]?.cause ?? 0
                let place = consequences.place(of: step.number, owner: owner)
                found.append(Action(what: .time(0), step: step.number, place: place, owner: owner))
            case .rejected, .effectRejected: rejections.append(step.number)
            default: break
            }
        }
        found.sort { ($0.place, $0.step) < ($1.place, $1.step) }
        let rejected = Dictionary(
            steps.filter { $0.kind == .rejected }.compactMap { step in step.cause.map { ($0, true) } }, uniquingKeysWith: { $1 })
        for index in found.indices { found[index].isRejected = rejected[found[index].step] ?? false }
        actions = !hasTimers ? found : Self.timed(found, steps)
        let end = (steps.last?.number ?? start)
        for index in actions.indices {
            actions[index].last = index + 1 < actions.count ? actions[index + 1].place - 1 : end
        }
        settle(steps)
        answersAtOnce = answersAtOnce.filter { $0.value.contains { !$0.answers.isEmpty } }
        // A function that has answered at once answers later in this script: what its event had done by then is unknown.
        for index in actions.indices where atOnce.contains(actions[index].step) {
            actions[index].isAtOnce = true
            if index > 0 { actions[index - 1].isSettled = false }
        }
    }

    /// Finds the actions with consequences that occurred later in the recording than the next action is played.
    private mutating func settle(_ steps: [StepRecord]) {
        // For each event, the actions that can cause its effects, in order, and the places at which they are played.
        var causes: [Int: (actions: [Int], places: [Int])] = [:]
        for (index, action) in actions.enumerated() where action.owner > 0 {
            causes[action.owner, default: ([], [])].actions.append(index)
            causes[action.owner, default: ([], [])].places.append(action.place)
        }
        // For each step, the nearest such event among its causes and itself.
        var anchors: [Int: Int] = [:]
        // For each such event, the last consequence so far.
        var consequences: [Int: Int] = [:]
        // For each action, the last step that it has caused.
        var ends = [Int](repeating: 0, count: actions.count)
        for step in steps {
            let anchor = step.cause.flatMap { anchors[$0] }
            anchors[step.number] = causes[step.number] == nil ? anchor : step.number
            switch step.kind {
            case .effect, .effectRejected, .rejected, .event: break
            default: continue
            }
            guard let anchor, let (indices, places) = causes[anchor] else { continue }
            let count = places.count(upTo: step.number)
            // A scheduler may have delayed the consequence of any answer since the one before.
            var place = count - 1
            while place >= 0, places[place] > consequences[anchor, default: 0], isOfAnswer(indices[place]) {
                ends[indices[place]] = step.number
                place -= 1
            }
            if count > 0 { ends[indices[count - 1]] = step.number }
            consequences[anchor] = step.number
        }
        var end = 0
        for index in actions.indices {
            end = max(end, ends[index])
            if actions[index].last < end { actions[index].isSettled = false }
        }
    }

    /// Returns whether an action is an answer, or the time that passes before one.
    private func isOfAnswer(_ index: Int) -> Bool {
        switch actions[index].what {
        case .answer: true
        case .event: false
        case .time: index + 1 < actions.count && actions[index + 1].step == actions[index].step
        }
    }

    /// Advances time between actions as in the recording, but lets no timer fire early.
    private static func timed(_ actions: [Action], _ steps: [StepRecord]) -> [Action] {
        var timed: [Action] = []
        // The time of the plan, and its value after each action.
        var (now, times): (Int, [Int]) = (0, [])
        let byNumber = Dictionary(steps.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        let timers = TimerSteps(actions, steps)
        // For each pending timer, its due time in the plan, and the number of actions before it was set.
        var due: [Int: (time: Int, from: Int)] = [:]
        func take(_ steps: [StepRecord], at time: Int) {
            for step in steps {
                due[step.kind == .timer ? step.number : step.call] =
                    step.kind == .timer ? (min(time + step.span, 2 * RecordingFormat.latest), timed.count) : nil
            }
        }
        func advance(to time: Int, _ action: Action) {
            guard time > now else { return }
            add(Action(what: .time(time - now), step: action.step, place: action.place, owner: action.owner), at: time)
        }
        func add(_ action: Action, at time: Int) {
            timed.append(action)
            times.append(time)
            now = time
        }
        let start = actions.first.flatMap { byNumber[$0.step]?.time } ?? 0
        take(timers.before, at: now)
        for (index, action) in actions.enumerated() {
            guard let step = byNumber[action.step] else { continue }
            if case .time = action.what {
                guard let timer = due.removeValue(forKey: step.call) else { continue }
                if timer.time > now {
                    advance(to: timer.time, action)
                } else if !timed.isEmpty {
                    // In the plan it has already fired, when it was set or when time advanced for another timer. Its
                    // consequences came later in the recording.
                    let first = max(timer.from - 1, times.count(upTo: timer.time - 1))
                    for index in max(0, first)..<max(0, first, timed.count - 1) { timed[index].isSettled = false }
                }
                take(timers.after[index], at: timer.time)
                continue
            }
            // Up to the time of the recording, but not up to a timer that has not fired, or that fires later.
            let first = due.values.map(\.time).min() ?? .max
            advance(to: min(step.time - start, first - 1), action)
            add(action, at: now)
            take(timers.after[index], at: now)
        }
        return timed
    }

    /// Removes events that changed nothing, called nothing and began nothing: rejected ones, and those whose effects did not
    /// change the state. A reducer treats the others in the same way without them. The states stay those of the recording.
    package mutating func leaveOutIdleEvents(_ reader: RecordingReader) throws(RecordingError) {
        var busy: Set<Int> = []
        // swift-format-ignore: ReplaceForEachWithForLoop
        try reader.forEach { step, _ in
            let isIdle =
                switch step.kind {
                case .effect: step.changes.isEmpty
                case .rejected, .effectRejected: true
                default: false
                }
            if !isIdle, let cause = step.cause { busy.insert(cause) }
            return true
        }
        actions.removeAll { action in
            if case .event = action.what { !busy.contains(action.step) } else { false }
        }
        rejections.removeAll { number in !actions.contains { $0.place <= number && number <= $0.last } }
    }

    /// Removes all but the given actions.
    package mutating func keep(_ indices: Set<Int>) {
        actions = actions.indices.filter(indices.contains).map { actions[$0] }
        // The states in between are no longer those of the recording.
        for index in actions.indices { actions[index].isSettled = false }
    }
}

/// The steps that follow from the effects of each event, after the handling of the event itself.
private struct ConsequenceSteps {
    private var steps: [Int: [Int]] = [:]
    /// Those at which a call, a timer or a job is cancelled, or a timer is due: no answer from before has a consequence after that.
    private var cuts: Set<Int> = []

    init(_ steps: [StepRecord], _ calls: [Int: StepRecord]) {
        for step in steps {
            var owner = step.cause
            switch step.kind {
            case .effect, .effectRejected, .call, .result, .timer: break
            case .answer where step.outcome == .cancelled: owner = calls[step.call]?.cause
            case .fired: owner = calls[step.call]?.cause
            case .job: break
            default: continue
            }
            guard let owner else { continue }
            self.steps[owner, default: []].append(step.number)
            if step.outcome == .cancelled || step.kind == .fired { cuts.insert(step.number) }
        }
    }

    /// Returns the place of an answer or a timer: its first consequence, or if it has none, its own step.
    func place(of number: Int, owner: Int) -> Int {
        guard let first = steps[owner]?.first(after: number), !cuts.contains(first) else { return number }
        return first
    }
}

/// The steps at which timers are set and withdrawn, by the actions that cause them.
///
/// The cause is the last action before such a step that belongs to the same event: an answer that comes later in a plan than
/// in the recording also sets its timers later. A job that waited in a queue was started by an action of another event.
private struct TimerSteps {
    /// The steps before all actions.
    private(set) var before: [StepRecord] = []
    /// The steps after each action.
    private(set) var after: [[StepRecord]]

    init(_ actions: [Script.Action], _ steps: [StepRecord]) {
        after = Array(repeating: [], count: actions.count)
        // The actions of each event, in the order of their steps.
        var owned: [Int: (indices: [Int], steps: [Int])] = [:]
        for (index, action) in actions.enumerated() where action.owner > 0 {
            owned[action.owner, default: ([], [])].indices.append(index)
            owned[action.owner, default: ([], [])].steps.append(action.step)
        }
        let places = actions.map(\.place)
        var timers: Set<Int> = []
        // For each event, the step at which a job of it was started last.
        var started: [Int: Int] = [:]
        for step in steps {
            switch step.kind {
            case .job:
                if step.outcome == .value, let cause = step.cause { started[cause] = step.number }
                continue
            case .timer: timers.insert(step.number)
            case .answer where step.outcome == .cancelled && timers.contains(step.call): break
            default: continue
            }
            var index = places.count(upTo: step.number) - 1
            if let cause = step.cause, let own = owned[cause] {
                let count = own.steps.count(upTo: step.number)
                let before = places.count(upTo: started[cause] ?? 0) - 1
                if count > 0 { index = max(own.indices[count - 1], before) }
            }
            if index < 0 { before.append(step) } else { after[index].append(step) }
        }
    }
}

extension [Int] {
    /// Returns the number of elements that are at most a number. The elements must be sorted.
    fileprivate func count(upTo number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the first element above a number. The elements must be sorted.
    fileprivate func first(after number: Int) -> Int? {
        let place = count(upTo: number)
        return place < count ? self[place] : nil
    }
}

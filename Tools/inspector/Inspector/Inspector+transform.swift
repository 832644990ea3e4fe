import MoonPresentation
import Moonlight
import MoonlightRecording
import Streams

extension Inspector {
    package typealias Effects = AnyPublisher<InspectorEffect, Never>

    /// The program's reducer.
    package static let reducer = Reducer<Inspector, InspectorEvent, InspectorEffect, InspectorEnvironment>(
        transform: { inspector, event, environment in inspector.transform(event, environment) },
        apply: { (inspector: inout Inspector, effect: InspectorEffect) in inspector.apply(effect) })

    private func transform(_ event: InspectorEvent, _ environment: InspectorEnvironment) -> Effects {
        switch event {
        case .looked(let look): only(.looked(look))
        case .failed(let reason): say(reason, isError: true)
        case .news(let news): only(.file(news))
        default: act(event, environment).prepend(.said(nil)).eraseToAnyPublisher()
        }
    }

    private func act(_ event: InspectorEvent, _ environment: InspectorEnvironment) -> Effects {
        switch event {
        case .looked, .failed, .news: .none
        case .move(let move): self.move(move)
        case .open: open()
        case .fold(let fold): self.fold(fold)
        case .toCause:
            if let cause = steps.record(selected)?.causedBy, steps.has(cause) {
                select(cause, isJump: true)
            } else {
                say(steps.record(selected)?.cause == nil ? "it came from outside" : "what caused it is not kept")
            }
        case .toConsequence: search(.consequence(of: selected), isForward: true, environment)
        case .back:
            if let last = trail.last { select(last).prepend(.returned).eraseToAnyPublisher() } else { .none }
        case .turn(let count):
            only(.turned(Pane.allCases[(pane.rawValue + count + Pane.allCases.count) % Pane.allCases.count]))
        case .mark:
            if steps.isEmpty { .none } else { only(.marked(mark == selected ? nil : selected)) }
        case .ask(let question): only(.asked(question))
        case .edit(let edit): only(.edited(edit))
        case .submit: submit(environment)
        case .again(let isForward):
            if pattern.isEmpty {
                say("nothing was searched for: press /")
            } else {
                search(.text(pattern), isForward: isForward, environment)
            }
        case .followEnd: followEnd()
        case .read(let kind):
            work("the \(kind)") { send throws(RecordingError) in
                let question: Reading.Question =
                    switch kind {
                    case .story: .story(steps, to: selected)
                    case .plan: .plan(steps, to: selected)
                    }
                send(.reading(try await environment.read(question)))
            }
        case .help: only(.help(!isHelpShown))
        case .cancel: cancel()
        }
    }

    // MARK: Steps

    /// Selects a step. That it is looked at then is a reaction: see `feedback`.
    private func select(_ number: Int, isJump: Bool = false) -> Effects { only(.selected(number, isJump: isJump)) }

    private func followEnd() -> Effects {
        let last = steps.isEmpty ? .none : select(steps.number(at: steps.count - 1))
        if isFollowing { return last.append(.stayed(atEnd: true)).eraseToAnyPublisher() }
        return last.append(.said(Message("--follow follows the file"))).eraseToAnyPublisher()
    }

    // MARK: Panes

    private func move(_ move: ListMove) -> Effects {
        switch place {
        case .reading: return only(.scrolled(move.index(from: reading?.top ?? 0, count: reading?.lines.count ?? 0)))
        case .prompt, .help: return .none
        case .pane(.state):
            let row = move.index(from: rows.index(of: part), count: rows.rows.count)
            return rows.rows.isEmpty ? .none : only(.part(rows.rows[row].path))
        case .pane(.difference): return only(.change(move.index(from: change, count: look?.changes.count ?? 0)))
        case .pane(.cause): return only(.cause(move.index(from: cause, count: look?.causes.count ?? 0)))
        case .pane(.steps):
            if steps.isEmpty { return .none }
            let number = steps.number(after: move.index, from: selected)
            if move == .last, isFollowing { return followEnd() }
            return number == selected ? only(.stayed(atEnd: false)) : select(number)
        }
    }

    private func open() -> Effects {
        switch pane {
        case .steps: return only(.turned(.state))
        case .cause:
            guard let look, look.causes.indices.contains(cause) else { return .none }
            return select(look.causes[cause].number, isJump: true)
        case .difference:
            guard let look, look.changes.indices.contains(change) else { return .none }
            let change = look.changes[change]
            return only(
                .reading(
                    Reading(
                        title: change.title.isEmpty ? "the state" : change.title,
                        values: [("before:", change.before), ("after:", change.after)])))
        case .state:
            guard !rows.rows.isEmpty, let state = look?.state else { return .none }
            let row = rows.rows[rows.index(of: part)]
            let title = row.path.isEmpty ? "the state" : TreeChange.title(of: row.path, in: state)
            return only(.reading(Reading(title: title, values: [("", row.tree)])))
        }
    }

    private func fold(_ fold: InspectorEvent.TreeFold) -> Effects {
        guard !rows.rows.isEmpty else { return .none }
        let index = rows.index(of: part)
        let row = rows.rows[index]
        let hasParts = !row.tree.parts.isEmpty
        switch fold {
        case .toggle: return hasParts ? only(.folded(row.path, isOpen: !row.isOpen)) : .none
        case .open:
            guard hasParts else { return .none }
            return only(row.isOpen ? .part(rows.rows[index + 1].path) : .folded(row.path, isOpen: true))
        case .close:
            if row.isOpen { return only(.folded(row.path, isOpen: false)) }
            return row.path.count > 1 ? only(.part(row.path.dropLast())) : .none
        }
    }

    // MARK: Questions

    private func submit(_ environment: InspectorEnvironment) -> Effects {
        let text = input.text.trimmed
        let answered = only(.answered)
        guard let question, !text.isEmpty else { return answered }
        switch question {
        case .search:
            return answered.append(.searched(text)).append(search(.text(text), isForward: true, environment))
                .eraseToAnyPublisher()
        case .step:
            guard let number = Int(text) else {
                return answered.append(say("\"\(text)\" is no number", isError: true)).eraseToAnyPublisher()
            }
            guard !steps.isEmpty else { return answered }
            let nearest = steps.number(at: steps.index(of: number))
            let jump = answered.append(select(nearest, isJump: true))
            if nearest == number { return jump.eraseToAnyPublisher() }
            return jump.append(say("step \(number) is not kept; the nearest one is \(nearest)")).eraseToAnyPublisher()
        case .predicate:
            do throws(RecordingError) {
                return answered.append(bisect(text, try StatePredicate(text), environment)).eraseToAnyPublisher()
            } catch { return answered.append(say("\(error)", isError: true)).eraseToAnyPublisher() }
        }
    }

    private func search(_ target: StepSearch.Target, isForward: Bool, _ environment: InspectorEnvironment) -> Effects {
        var search = StepSearch(steps: steps, target: target, start: selected, isForward: isForward)
        // A key that is pressed again before the answer means the hit behind it.
        if let running = self.search, running.steps == steps, running.isForward == isForward, running.target == target {
            search = StepSearch(
                steps: steps, target: target, start: running.start, isForward: isForward, count: running.count + 1)
        }
        let wanted = search
        let (what, nothing) =
            switch target {
            case .text(let text): ("a search for \"\(text)\"", "\"\(text)\" was not found")
            case .consequence: ("a search for what it caused", "it caused nothing that is kept")
            }
        return work(what, wanted) { send throws(RecordingError) in
            guard let hit = try await environment.search(wanted) else { return send(.said(Message(nothing))) }
            send(.selected(hit.number, isJump: true))
            if hit.isAround { send(.said(Message("the search went on at the other end"))) }
        }
    }

    private func bisect(_ text: String, _ predicate: StatePredicate, _ environment: InspectorEnvironment) -> Effects {
        let bisection = Bisection(steps: steps, predicate: predicate)
        return work("a search for \(text)") { send throws(RecordingError) in
            guard let answer = try await environment.bisect(bisection) else {
                return send(.said(Message("\(text) after no step")))
            }
            send(.selected(answer.number, isJump: true))
            let states = "\(answer.looks) states looked at"
            send(
                .said(
                    Message(
                        answer.holdsAtEnd
                            ? "\(text) from step \(answer.number) on; \(states)"
                            : "\(text) after step \(answer.number) first, and not at the end; \(states)")))
        }
    }

    // MARK: Work

    /// Does something that may take a while. It ends what else of this kind is being done.
    private func work(
        _ what: String, _ search: StepSearch? = nil,
        _ body: @escaping @Sendable (Send<InspectorEffect>) async throws(RecordingError) -> Void
    ) -> Effects {
        Effects.run { send in
            do throws(RecordingError) { try await body(send) } catch { send(.said(Message("\(error)", isError: true))) }
            send(.ended)
        }
        .job("work", .latest).prepend([.began(what)] + (search.map { [.searching($0)] } ?? [])).eraseToAnyPublisher()
    }

    private func cancel() -> Effects {
        if isHelpShown { return only(.help(false)) }
        if question != nil { return only(.answered) }
        if work != nil { return Effects.cancelJob("work").append(.ended).eraseToAnyPublisher() }
        return reading == nil ? .none : only(.reading(nil))
    }

    private func only(_ effect: InspectorEffect) -> Effects { Just(effect).eraseToAnyPublisher() }

    private func say(_ text: String, isError: Bool = false) -> Effects { only(.said(Message(text, isError: isError))) }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

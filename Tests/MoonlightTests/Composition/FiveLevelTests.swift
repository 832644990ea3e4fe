import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private typealias App = Five.App

/// The requests of the levels, which the test answers.
private final class Answers: Sendable {
    private let subject = PassthroughSubject<(level: String, answer: String), Never>()
    private let asked = Recorder<String>()
    private let ended = Recorder<String>()

    func ask(_ level: String) -> AnyPublisher<String, Never> {
        asked.append(level)
        return subject.filter { $0.level == level }.map(\.answer)
            .handleEvents(receiveCancel: { [ended] in ended.append(level) }).eraseToAnyPublisher()
    }

    func give(_ level: String, _ answer: String) { subject.send((level, answer)) }

    /// Returns the levels whose streams were cancelled since the last call.
    var cancelled: [String] { ended.all.sorted() }
}

private struct Run {
    let answers = Answers()
    let log = Recorder<String>()
    let journal = Recorder<String>()
    let states = Recorder<App>()
    let store: Store<App, App.Event>
    private let watching: AnyCancellable

    /// - Parameter projects: The ids of the projects, of which 7 has an open dialog.
    init(projects: [Int] = [3, 7, 9]) {
        let world = Five.World(ask: { [answers] in answers.ask($0) }, log: { [log] in log.append($0) })
        store = Store(
            reducer: App.reducer, initialState: App(), environment: world,
            options: LoopOptions(journal: { [journal] in journal.append("\($0)") }),
            feedback: { App.feedback($0, world) })
        watching = store.states.sink { [states] in states.append($0) }
        for id in projects { store.send(.account(.add(id))) }
        send(7, .open)
    }

    func send(_ id: Int, _ event: Five.Project.Event) { store.send(.account(.project(id, event))) }
    func send(_ id: Int, _ event: Five.Wizard.Event) { send(id, .dialog(.wizard(event))) }

    func project(_ id: Int) -> Five.Project? { store.state.account?.projects[id: id] }
    var jobs: Set<String> { Set(store.jobs.map(\.id.description)) }

    /// Every level of project 7 loads, down to the naming step.
    func loadEverywhere() {
        store.send(.load)
        store.send(.account(.load))
        send(7, .load)
        send(7, .dialog(.load))
        send(7, .naming(.load))
    }
}

@Suite("An app of five levels with middleware, results, rules and reactions")
struct FiveLevelTests {
    private static let paths = [
        "account", "account.projects[7]", "account.projects[7].dialog", "account.projects[7].dialog.wizard.naming",
    ]

    @Test("Jobs with the same id on five levels are independent, and each response arrives at its level")
    func jobs() {
        let run = Run()
        run.loadEverywhere()
        expectEqual(run.jobs, Set(Self.paths.map { "\($0)/load" } + ["load"]))
        for level in ["app", "account", "project", "dialog", "naming"] { run.answers.give(level, "to \(level)") }
        expectEqual(run.store.state.account?.name, "to account")
        expectEqual(run.project(7)?.note, "to project")
        expectEqual(run.project(7)?.dialog?.hint, "to dialog")
        expectEqual(run.project(7)?.dialog?.wizard, .naming(.init(name: "to naming")))
        // A rule derives the app's title from the account's name.
        expectEqual(run.store.state.title, "of to account")
        expectEqual(run.answers.cancelled, [])
    }

    @Test("Cancelling a job at the path of its level keeps the jobs with the same id on other levels")
    func cancelling() {
        let run = Run()
        run.loadEverywhere()
        run.store.cancelJob("load", of: .root.child("account").child("projects", id: 7).child("dialog"))
        expectEqual(run.answers.cancelled, ["dialog"])
        expectEqual(run.jobs, Set(Self.paths.filter { !$0.hasSuffix("dialog") }.map { "\($0)/load" } + ["load"]))
    }

    @Test("Effects reach their child after it was moved")
    func moving() {
        let run = Run()
        run.loadEverywhere()
        run.store.send(.account(.reverse))
        expectEqual(run.store.state.account?.projects.ids, [9, 7, 3])
        run.answers.give("naming", "moon")
        run.answers.give("project", "here")
        expectEqual(run.project(7)?.dialog?.wizard, .naming(.init(name: "moon")))
        expectEqual([3, 7, 9].map { run.project($0)?.note }, ["", "here", ""])
    }

    private static let departures: [(App.Event, App.Event?, cancelled: [String])] = [
        (.account(.project(7, .dialog(.wizard(.naming(.next))))), nil, ["naming"]),
        (.account(.project(7, .close)), .account(.project(7, .open)), ["dialog", "naming"]),
        (.account(.remove(7)), .account(.add(7)), ["dialog", "naming", "project"]),
        (.logOut, .logIn, ["account", "dialog", "naming", "project"]),
    ]

    @Test(
        "Removing a child cancels everything in flight on all levels below, and nothing of it reaches a successor",
        arguments: 0..<4)
    func leaving(departure: Int) {
        let (leave, comeBack, cancelled) = Self.departures[departure]
        let run = Run()
        run.send(7, .naming(.type("tea")))
        run.loadEverywhere()
        run.store.send(leave)
        expectEqual(run.answers.cancelled, cancelled)
        expectEqual(run.jobs.count, 5 - cancelled.count)
        if let comeBack {
            run.store.send(comeBack)
            if run.project(7) == nil { run.store.send(.account(.add(7))) }
            run.send(7, .open)
        }
        let before = run.store.state
        for level in cancelled { run.answers.give(level, "late") }
        expectEqual(run.store.state, before)
    }

    @Test("An event for an absent child on any level is refused with the path of the child, and changes nothing")
    func absent() async {
        let run = Run()
        let absent: [(App.Event, String)] = [
            (.account(.project(8, .load)), "account.projects[8]"),
            (.account(.project(3, .dialog(.load))), "account.projects[3].dialog"),
            (.account(.project(7, .dialog(.wizard(.assigning(.load))))), "account.projects[7].dialog.wizard.assigning"),
        ]
        let before = run.store.state
        for (event, path) in absent {
            guard case .failure(.rejected(let error as Rejection)) = await run.store.send(event) else {
                Issue.record("\(event) was not refused")
                continue
            }
            expectEqual(error.path.description, path)
            expect(error.isForAbsentChild)
        }
        run.store.post(.logOut)
        let answer = await run.store.send(.account(.load))
        expect("\(answer)".contains("account: the child is absent"))
        expectEqual(run.states.all.dropLast().last, before)
        expectEqual(run.jobs, [])
    }

    @Test("A rejection at the deepest level contains the path of that level")
    func refused() async {
        let run = Run()
        guard
            case .failure(.rejected(let error as Rejection)) = await run.store.send(
                .account(.project(7, .dialog(.wizard(.naming(.next))))))
        else {
            Issue.record("not refused")
            return
        }
        expectEqual(error.path.description, Self.paths[3])
        expectEqual(error.reason, "a task needs a name")
    }

    @Test(
        "The result of the dialog is delivered once, and the dialog is removed with its work in flight",
        arguments: [true, false])
    func result(byAnswer: Bool) {
        let run = Run()
        run.send(7, .dialog(.load))
        run.send(7, .naming(.type("tea")))
        run.send(7, .naming(.next))
        run.send(7, .assigning(.load))
        if byAnswer { run.answers.give("assigning", "ann") } else { run.send(7, .assigning(.pick("ann"))) }
        expectEqual(run.project(7), Five.Project(note: "task 1", tasks: ["tea by ann"]))
        expectEqual(run.answers.cancelled, ["assigning", "dialog"])
        run.answers.give("assigning", "bob")
        run.send(7, .assigning(.pick("bob")))
        expectEqual(run.project(7)?.tasks, ["tea by ann"])
        // No observer receives a state with the dialog's result, nor the task before the dialog is removed.
        let tasks = run.states.all.compactMap { $0.account?.projects[id: 7] }.map { ($0.dialog?.task, $0.tasks.count) }
        expect(tasks.allSatisfy { $0.0 == nil })
    }

    @Test("Middleware of each level receives an event as an event of that level, the outermost first")
    func middleware() {
        let run = Run(projects: [7])
        let before = run.log.count
        run.send(7, .load)
        expectEqual(
            run.log.all.dropFirst(before).map { $0 },
            [
                "app: \(App.Event.account(.project(7, .load)))", "account: \(Five.Account.Event.project(7, .load))",
                "project: load",
            ])
    }

    @Test("The journal has the paths of jobs and rules of children, and the list of reactions has theirs")
    func journal() {
        let run = Run()
        run.send(7, .naming(.load))
        run.store.send(.watch([7]))
        expectEqual(run.store.reactions.map { "\($0.path)/\($0.key)" }, ["account/7"])
        run.answers.give("watch 7", "seen")
        expectEqual(run.project(7)?.note, "seen")
        run.answers.give("naming", "tea")
        run.send(7, .naming(.next))
        run.send(7, .assigning(.pick("ann")))
        let lines = run.journal.all
        for line in [
            "job \(Self.paths[3])/load started", "job \(Self.paths[3])/load cancelled",
            "rule account.projects[7]/praise fired: 1 event",
        ] { expect(lines.contains { $0.hasSuffix(line) }, "\(line) in \(lines.joined(separator: "\n"))") }
    }
}

import Streams

/// A scene that is played once: its threads, what must hold when they have ended, and what must then be gone.
final class Stage {
    private(set) var threads: [() -> Void] = []
    private var checks: [(Stage) -> Void] = []
    private var ends: [() -> Void] = []
    private var watched: [(name: String, isHere: () -> Bool)] = []
    private var problemsAtTheEnd: [() -> String?] = []
    private(set) var problems: [String] = []
    private(set) var clock = 0

    /// Runs at the same time as the other threads.
    func thread(_ body: @escaping () -> Void) { threads.append(body) }
    /// Runs when all threads have ended.
    func afterwards(_ check: @escaping (Stage) -> Void) { checks.append(check) }

    /// Expects that an object is gone when all is over and the scene has been cleared away.
    @discardableResult func mustGo<Object: AnyObject>(_ object: Object, _ name: String) -> Object {
        watched.append((name, { [weak object] in object != nil }))
        return object
    }

    /// A time, later than all before.
    func now() -> Int {
        clock += 1
        return clock
    }

    /// Looks, when the scene has been cleared away, whether there was a problem. It must not hold what is to be gone by then.
    func lastly(_ problem: @escaping () -> String?) { problemsAtTheEnd.append(problem) }

    /// Runs last of all: breaks a cycle that is the scene's own.
    func finally(_ end: @escaping () -> Void) { ends.append(end) }

    func fail(_ problem: String) { problems.append(problem) }
    func expect(_ condition: Bool, _ problem: @autoclosure () -> String) { if !condition { fail(problem()) } }
    func expect<Value: Equatable>(_ actual: Value, is expected: Value, _ what: String) {
        if actual != expected { fail("\(what): expected \(expected), got \(actual)") }
    }

    /// Checks, clears away, and looks at what is left.
    func close() {
        for check in checks { check(self) }
        for end in ends { end() }
        (threads, checks, ends) = ([], [], [])
        for (name, isHere) in watched where isHere() { fail("\(name) is still there") }
        for problem in problemsAtTheEnd { problem().map(fail) }
    }
}

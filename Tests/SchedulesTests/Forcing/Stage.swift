import Streams

/// One run of a scene: its threads, the checks after they have ended, and the objects that must then be released.
final class Stage {
    private(set) var threads: [() -> Void] = []
    private var checks: [(Stage) -> Void] = []
    private var ends: [() -> Void] = []
    private var watched: [(name: String, isHere: () -> Bool)] = []
    private var problemsAtTheEnd: [() -> String?] = []
    private(set) var problems: [String] = []
    private(set) var clock = 0

    /// Adds a thread, which runs concurrently with the others.
    func thread(_ body: @escaping () -> Void) { threads.append(body) }
    /// Adds a check that runs when all threads have ended.
    func afterwards(_ check: @escaping (Stage) -> Void) { checks.append(check) }

    /// Expects that an object is released at the end of the run.
    @discardableResult func mustGo<Object: AnyObject>(_ object: Object, _ name: String) -> Object {
        watched.append((name, { [weak object] in object != nil }))
        return object
    }

    /// Returns a time that is later than all previous ones.
    func now() -> Int {
        clock += 1
        return clock
    }

    /// Adds a check that runs after the release of the scene. It must not retain an object that is to be released.
    func lastly(_ problem: @escaping () -> String?) { problemsAtTheEnd.append(problem) }

    /// Adds a closure that runs last, to break a reference cycle of the scene.
    func finally(_ end: @escaping () -> Void) { ends.append(end) }

    func fail(_ problem: String) { problems.append(problem) }
    func expect(_ condition: Bool, _ problem: @autoclosure () -> String) { if !condition { fail(problem()) } }
    func expect<Value: Equatable>(_ actual: Value, is expected: Value, _ what: String) {
        if actual != expected { fail("\(what): expected \(expected), got \(actual)") }
    }

    /// Runs the checks, releases the scene, and checks that nothing is left.
    func close() {
        for check in checks { check(self) }
        for end in ends { end() }
        (threads, checks, ends) = ([], [], [])
        for (name, isHere) in watched where isHere() { fail("\(name) is still there") }
        for problem in problemsAtTheEnd { problem().map(fail) }
    }
}

import Moonlight

/// The contents of a log besides the state: open work, and keys that were answered.
struct LogBook<Event> {
    /// The open work, and ended work of events that also have open work.
    private(set) var works: [UInt64: OpenWork<Event>] = [:]
    /// The numbers of the streams of each event with several, by that of the first.
    private var streams: [UInt64: [UInt64]] = [:]
    /// The order of the first attempts, by number. A later attempt has the age of the one that it replaces.
    private var ages: [UInt64: UInt64] = [:]
    private var nextAge: UInt64 = 0
    /// The number of the next work.
    private(set) var nextWork: UInt64 = 1
    var keys: KeyBook

    init(_ window: KeyWindow) { keys = KeyBook(window) }

    mutating func begin(_ work: OpenWork<Event>) {
        works[work.number] = work
        if work.first != work.number { streams[work.first, default: [work.first]].append(work.number) }
        ages[work.number] = work.replaces == 0 ? nil : ages[work.replaces]
        if work.replaces != 0 {
            end(work.replaces)
            remove(work.replaces)
        }
        if ages[work.number] == nil {
            ages[work.number] = nextAge
            nextAge += 1
        }
        nextWork = max(nextWork, work.number &+ 1)
    }

    /// Ends work. It is kept while its event has open work, because its stream begins again together with that of the open work.
    mutating func end(_ number: UInt64) {
        guard let first = works[number]?.first else { return }
        works[number]?.isEnded = true
        let numbers = streams[first] ?? [number]
        if numbers.contains(where: { works[$0]?.isEnded == false }) { return }
        streams[first] = nil
        for number in numbers { remove(number) }
    }

    private mutating func remove(_ number: UInt64) {
        works[number] = nil
        ages[number] = nil
    }

    mutating func raise(nextWork number: UInt64) { nextWork = max(nextWork, number) }

    /// True if there has never been work or a key.
    var isBlank: Bool { works.isEmpty && nextWork == 1 && keys.isEmpty }

    /// All work, in the order of the first attempts.
    var all: [OpenWork<Event>] { works.values.sorted { ages[$0.number, default: 0] < ages[$1.number, default: 0] } }

    /// The open work, in the order of the first attempts.
    var open: [OpenWork<Event>] { all.filter { !$0.isEnded } }

    /// Returns work and that of the same event, in the order of the streams.
    func works(with work: OpenWork<Event>) -> [OpenWork<Event>] {
        streams[work.first]?.sorted().compactMap { works[$0] } ?? [work]
    }
}

extension LogBook: Sendable where Event: Sendable {}

/// A bound for the idempotency keys that are remembered.
public struct KeyWindow: Sendable, Hashable {
    let count: Int
    let age: Duration?

    /// Remembers keys while both bounds allow it.
    ///
    /// - Parameters:
    ///   - count: The number of latest keys.
    ///   - age: The time by the wall clock; nil for no bound.
    public static func latest(_ count: Int, within age: Duration? = nil) -> KeyWindow {
        precondition(count > 0, "a window must have at least 1 key, but has \(count); to take every event, omit `key`")
        return KeyWindow(count: count, age: age)
    }
}

/// The keys that were answered lately.
struct KeyBook: Sendable {
    private let window: KeyWindow
    private var answers: [ExactText: KeyedAnswer] = [:]
    /// The keys, oldest first; those before `start` are forgotten.
    private var line: [ExactText] = []
    private var start = 0

    init(_ window: KeyWindow) { self.window = window }

    /// Returns the answer to a key, if it is remembered.
    func answer(to key: String, at now: Int64) -> KeyedAnswer? {
        guard let answer = answers[ExactText(key)], !isOld(answer, at: now) else { return nil }
        return answer
    }

    /// Remembers an answer, and forgets those that leave the window.
    mutating func add(_ answer: KeyedAnswer) {
        let key = ExactText(answer.key)
        // An expired key may still be stored.
        if answers.updateValue(answer, forKey: key) != nil, let place = line[start...].firstIndex(of: key) {
            line.remove(at: place)
        }
        line.append(key)
        while line.count - start > window.count || line.count > start && isOld(answers[line[start]], at: answer.time) {
            answers[line[start]] = nil
            start += 1
        }
        if start > 64, start * 2 > line.count {
            line.removeFirst(start)
            start = 0
        }
    }

    /// True if no key is remembered.
    var isEmpty: Bool { answers.isEmpty }

    /// The answers, oldest first.
    var all: [KeyedAnswer] { line[start...].compactMap { answers[$0] } }

    private func isOld(_ answer: KeyedAnswer?, at now: Int64) -> Bool {
        guard let age = window.age, let answer else { return false }
        return Duration.nanoseconds(now) - .nanoseconds(answer.time) > age
    }
}

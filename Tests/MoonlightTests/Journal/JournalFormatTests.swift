import Foundation
import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// Returns the records of an event, which is its own effect.
private func records<Effect: Sendable>(_ effects: [Effect]) -> [JournalRecord<[String], Effect, Effect>] {
    let records = Lock<[JournalRecord<[String], Effect, Effect>]>([])
    let store = Store(
        reducer: Reducer(
            transform: { (_, event: Effect, _) in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout [String], effect: Effect) in state.append("\(effect)") }),
        initialState: [String](), environment: (),
        options: LoopOptions(journal: { record in records.withLock { $0.append(record) } }))
    for effect in effects { store.send(effect) }
    return records.withLock { $0 }
}

@Suite("Journal records as lines")
struct JournalLineTests {
    @Test(
        "A record of overflowed events has the last one, and their number if there were several", arguments: 1...3
    )
    func overflow(count: Int) {
        let lines = Lock<[String]>([])
        let store = Store(
            reducer: Reducer(transform: { (_, event: Int, _) in .just(event) }, apply: { $0 = $1 }),
            initialState: 0, environment: (),
            options: LoopOptions(
                journal: { record in
                    if case .overflowed = record.step { lines.withLock { $0.append("\(record)") } }
                }, inbox: .reject(1)))
        let observer = store.states.sink { [weak store] state in
            if state == 1 { for event in [10] + (11...(10 + count)) { store?.post(event) } }
        }
        store.post(1)
        let end = ["overflowed 11", "overflowed 12, the last of 2", "overflowed 13, the last of 3"][count - 1]
        expectEqual(lines.withLock { $0.count }, 1)
        expectEqual(lines.withLock { $0.first?.hasSuffix("  " + end) }, true)
        observer.cancel()
    }

    @Test("A record is one line, whatever text its event, its effect and the state contain")
    func oneLine() {
        for record in records(["two\nlines", "tab\tbell\u{7}", "\u{2028}separator", "plain é 🌙"]) {
            expectEqual(record.description.split(whereSeparator: \.isNewline).count, 1)
            expect(record.diff.split(whereSeparator: \.isNewline).count <= 2)
        }
        expectEqual(records(["a\nb"])[0].description, "1  event a\\nb")
        expectEqual(records(["plain é 🌙"])[0].description, "1  event plain é 🌙")
    }

    @Test("The diff of a record has each change on a separate line")
    func diff() {
        expectEqual(records(["a"])[1].diff, "2 <- 1  effect a\n    [0] nothing -> \"a\"")
        expectEqual(records(["a"])[0].diff, "1  event a")
    }

    indirect enum Tree: Sendable, Equatable {
        case leaf
        case node(Tree, Tree)
    }

    @Test("An event that contains the same parts repeatedly is written up to a limit, in every form")
    func sharedParts() {
        let tree = (0..<30).reduce(Tree.leaf) { tree, _ in .node(tree, tree) }
        let record = JournalRecord<Int, Tree, Tree>(number: 1, cause: nil, age: .zero, step: .event(tree))
        let forms: [(JournalRecord<Int, Tree, Tree>) -> String] = [
            { $0.description }, { $0.diff }, { $0.json(since: $0.time) },
        ]
        for form in Budget.sample(forms) {
            let text = form(record)
            // The first leaves are described, and the last parts are not.
            expect(text.prefix(500).contains("node(leaf, leaf)"))
            expect(text.suffix(200).contains("…"))
            expect(text.utf8.count < 10_000_000)
        }
    }

    @Test("An incomplete list of changes is marked in every form")
    func cutShort() {
        let (before, after) = ([Int](), Array(0..<1001))
        let record = JournalRecord<[Int], Int, String>(
            number: 2, cause: 1, age: .zero, step: .effect("filled", before: before, after: after))
        expectEqual(record.changes.count, 1001)
        expectEqual(record.changes.last?.isCut, true)
        expect(record.description.hasSuffix("[999] nothing -> 999, … and possibly more changes, which were not compared"))
        expect(record.diff.hasSuffix("\n    [999] nothing -> 999\n    … and possibly more changes, which were not compared"))
        expect(record.json(since: record.time).hasSuffix("{\"path\":\"[999]\",\"after\":\"999\"},{\"path\":\"…\"}]}"))
    }
}

@Suite("Journal records as JSON")
struct JournalJSONTests {
    private static func parse(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("Each line is a JSON object, and each text in it decodes to the original")
    func escaping() throws {
        let texts = [
            "", "plain", "quote \" and \\ backslash", "line\nreturn\rtab\t", "null \u{0} bell \u{7} delete \u{7f}",
            "escape \u{1b} unit \u{1f}", "slash / é 🌙 \u{2028}\u{2029}", "{\"json\":[1]}",
        ]
        let all = records(texts)
        let start = all[0].time
        for (index, text) in texts.enumerated() {
            let line = all[2 * index].json(since: start)
            expect(!line.contains("\n"))
            expect(!line.contains("\r"))
            let event = try Self.parse(line)
            expect(event["step"] as? String == "event")
            expect(event["event"] as? String == text)
            expect(event["n"] as? Int == 2 * index + 1)
            expect(event["cause"] == nil)
            let effect = try Self.parse(all[2 * index + 1].json(since: start))
            expect(effect["cause"] as? Int == 2 * index + 1)
            let change = try #require((effect["changes"] as? [[String: Any]])?.first)
            expect(change["path"] as? String == "[\(index)]")
            expect(change["before"] == nil)
            expect(change["after"] as? String == String(reflecting: text))
        }
    }

    @Test("Numbers that JSON cannot represent are strings; times are numbers, also before the start")
    func numbers() throws {
        let numbers = [Double.nan, .infinity, -.infinity, -0.0]
        for (index, record) in records(numbers).enumerated() where index.isMultiple(of: 2) {
            let event = try Self.parse(record.json(since: record.time))
            expect(event["event"] as? String == "\(numbers[index / 2])")
        }
        let record = records(["a"])[0]
        let early = try Self.parse(record.json(since: record.time + .seconds(2)))
        expect(early["ms"] as? Double == -2000)
        let late = try Self.parse(record.json(since: record.time - .microseconds(1500)))
        expect(late["ms"] as? Double == 1.5)
    }

    /// Three jobs of one name: the second is refused, the third replaces the first.
    private static var jobs: AnyPublisher<Int, Never> {
        let jobs: [AnyPublisher<Int, Never>] = [
            Just(0).job("j", .ignoreNew).eraseToAnyPublisher(),
            Empty<Int, Never>(completeImmediately: false).job("j", .queue).eraseToAnyPublisher(),
            Just(0).job("j", .latest).eraseToAnyPublisher(),
        ]
        return Publishers.MergeMany(jobs).eraseToAnyPublisher()
    }

    private static func text(_ object: [String: Any]?, _ key: String) -> String? { object?[key] as? String }
    private static func number(_ object: [String: Any]?, _ key: String) -> Int? { object?[key] as? Int }

    private struct Oops: Error {}

    /// A rule that fires, one that is blocked and one that fails when the state becomes 1.
    private static var rules: [Rule.Complete<Int, Int>] {
        let isOne = RulePattern<Int, Int>.becoming { (state: Int) -> Bool in state == 1 }
        let fires: Rule.Complete<Int, Int> = Rule("fires").when(isOne).thenAll { (_: Int) -> [Int] in [100, 101] }
        let blocked: Rule.Complete<Int, Int> = Rule("blocked").when(isOne)
            .given { (_: Int) -> Bool in false }.then { (_: Int) -> Int in 0 }
        let fails: Rule.Complete<Int, Int> = Rule("fails").when(isOne)
            .given { (_: Int) -> Bool in throw Oops() }.then { (_: Int) -> Int in 0 }
        return [fires, blocked, fails]
    }

    /// A store that follows the rules, refuses 7, and starts jobs for 8.
    private static func store(_ options: LoopOptions<Int, Int, Int>) -> Store<Int, Int> {
        Store<Int, Int>(
            reducer: Reducer(
                transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in
                    switch event {
                    case 7: throw Rejection("not seven")
                    case 8: return Self.jobs
                    default: return Just(event).eraseToAnyPublisher()
                    }
                }, apply: { (state: inout Int, effect: Int) in if effect != 0 { state = effect } }),
            initialState: 0, environment: (), options: options,
            feedback: { (states: AnyPublisher<Int, Never>) in [Rule.events(of: rules, from: states)] })
    }

    @Test("A record of each kind has its JSON fields")
    func kinds() throws {
        let lines = Lock<[String]>([])
        let start = ContinuousClock.now
        let options = LoopOptions<Int, Int, Int>(
            journal: { record in lines.withLock { $0.append(record.json(since: start)) } },
            coalesce: { (older: Int, newer: Int) -> Int? in if older == 101, newer == 102 { 102 } else { nil } },
            inbox: .reject(1), stepLimit: 2)
        let store = Self.store(options)
        let observer = store.states.sink { (state: Int) in
            if state == 1 { for event in [102, 103] { store.send(event) } }
        }
        for event in [7, 8, 1] { store.send(event) }
        store.cancel()
        let objects: [[String: Any]] = try lines.withLock { $0 }.map { try Self.parse($0) }
        func first(_ step: String, _ key: String? = nil, _ value: String? = nil) -> [String: Any]? {
            objects.first { (object: [String: Any]) -> Bool in
                guard Self.text(object, "step") == step else { return false }
                guard let key else { return true }
                return Self.text(object, key) == value
            }
        }
        let rejected = first("rejected")
        expectEqual(Self.text(rejected, "file"), "MoonlightTests/JournalFormatTests.swift")
        let line = try #require(Self.number(rejected, "line"))
        expect(line > 0)
        expectEqual(Self.number(rejected, "cause"), 1)
        expectEqual(Self.text(first("job", "job", "started"), "id"), "j")
        expect(first("job", "job", "finished") != nil)
        let error = try #require(Self.text(first("job", "job", "refused"), "error"))
        expect(error.contains("in flight as .queue"))
        expectEqual(Self.number(first("rule", "name", "fires"), "events"), 2)
        expectEqual(Self.number(first("rule", "name", "blocked"), "given"), 1)
        expectEqual(Self.text(first("rule", "name", "fails"), "error"), "Oops()")
        expectEqual(Self.number(first("coalesced"), "count"), 1)
        expectEqual(Self.number(first("overflowed"), "count"), 1)
        expectEqual(Self.text(first("overflowed"), "event"), "103")
        expectEqual(Self.number(first("runaway"), "steps"), 2)
        expectEqual(Self.text(objects.last, "step"), "ended")
        expect(objects.last?["cancelled"] as? Bool == true)
        withExtendedLifetime(observer) {}
    }
}

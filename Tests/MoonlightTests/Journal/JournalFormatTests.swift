import Foundation
import Streams
import Testing

@testable import Moonlight

/// What a loop has written of an event, which is its effect.
private func records<Effect: Sendable>(_ effects: [Effect]) -> [JournalRecord<[String], Effect, Effect>] {
    let records = Lock<[JournalRecord<[String], Effect, Effect>]>([])
    let store = Store(
        initialState: [String](), environment: (),
        options: LoopOptions(journal: { record in records.withLock { $0.append(record) } }),
        transform: { (_, event: Effect, _) in Just(event).eraseToAnyPublisher() },
        apply: { (state: inout [String], effect: Effect) in state.append("\(effect)") })
    for effect in effects { store.send(effect) }
    return records.withLock { $0 }
}

@Suite("The journal in lines")
struct JournalLineTests {
    @Test("of events that found no room the line names the last, and how many they were if it was not one", arguments: 1...3)
    func overflow(count: Int) {
        let lines = Lock<[String]>([])
        let store = Store(
            initialState: 0, environment: (),
            options: LoopOptions(
                journal: { record in
                    if case .overflowed = record.step { lines.withLock { $0.append("\(record)") } }
                }, inbox: .reject(1)),
            transform: { (_, event: Int, _) in .just(event) }, apply: { $1 })
        let observer = store.states.sink { [weak store] state in
            if state == 1 { for event in [10] + (11...(10 + count)) { store?.post(event) } }
        }
        store.post(1)
        let end = ["overflowed 11", "overflowed 12, the last of 2", "overflowed 13, the last of 3"][count - 1]
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first?.hasSuffix("  " + end) } == true)
        observer.cancel()
    }

    @Test("a record is one line, whatever its event, its effect and the state contain")
    func oneLine() {
        for record in records(["two\nlines", "tab\tbell\u{7}", "\u{2028}separator", "plain é 🌙"]) {
            #expect(record.description.split(whereSeparator: \.isNewline).count == 1)
            #expect(record.diff.split(whereSeparator: \.isNewline).count <= 2)
        }
        #expect(records(["a\nb"])[0].description == "1  event a\\nb")
        #expect(records(["plain é 🌙"])[0].description == "1  event plain é 🌙")
    }

    @Test("the diff has each change on a line of its own")
    func diff() {
        #expect(records(["a"])[1].diff == "2 <- 1  effect a\n    [0] nothing -> \"a\"")
        #expect(records(["a"])[0].diff == "1  event a")
    }

    indirect enum Tree: Sendable, Equatable {
        case leaf
        case node(Tree, Tree)
    }

    @Test("an event that holds the same parts again and again is told of as far as one may want to read")
    func sharedParts() {
        let tree = (0..<30).reduce(Tree.leaf) { tree, _ in .node(tree, tree) }
        let record = JournalRecord<Int, Tree, Tree>(number: 1, cause: nil, age: .zero, step: .event(tree))
        for text in [record.description, record.diff, record.json(since: record.time)] {
            #expect(text.contains("node(leaf, leaf)"))
            #expect(text.contains("…"))
            #expect(text.utf8.count < 10_000_000)
        }
    }

    @Test("a change that was cut short says so in every form")
    func cutShort() {
        let (before, after) = ([Int](), Array(0..<1001))
        let record = JournalRecord<[Int], Int, String>(
            number: 2, cause: 1, age: .zero, step: .effect("filled", before: before, after: after))
        #expect(record.changes.count == 1001)
        #expect(record.changes.last?.isCut == true)
        #expect(record.description.hasSuffix("[999] nothing -> 999, … and possibly more changes, which were not compared"))
        #expect(record.diff.hasSuffix("\n    [999] nothing -> 999\n    … and possibly more changes, which were not compared"))
        #expect(record.json(since: record.time).hasSuffix("{\"path\":\"[999]\",\"after\":\"999\"},{\"path\":\"…\"}]}"))
    }
}

@Suite("The journal in JSON")
struct JournalJSONTests {
    private static func parse(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("each line is an object, and each text comes back as it was")
    func escaping() throws {
        let texts = [
            "", "plain", "quote \" and \\ backslash", "line\nreturn\rtab\t", "null \u{0} bell \u{7} delete \u{7f}",
            "escape \u{1b} unit \u{1f}", "slash / é 🌙 \u{2028}\u{2029}", "{\"json\":[1]}",
        ]
        let all = records(texts)
        let start = all[0].time
        for (index, text) in texts.enumerated() {
            let line = all[2 * index].json(since: start)
            #expect(!line.contains("\n"))
            #expect(!line.contains("\r"))
            let event = try Self.parse(line)
            #expect(event["step"] as? String == "event")
            #expect(event["event"] as? String == text)
            #expect(event["n"] as? Int == 2 * index + 1)
            #expect(event["cause"] == nil)
            let effect = try Self.parse(all[2 * index + 1].json(since: start))
            #expect(effect["cause"] as? Int == 2 * index + 1)
            let change = try #require((effect["changes"] as? [[String: Any]])?.first)
            #expect(change["path"] as? String == "[\(index)]")
            #expect(change["before"] == nil)
            #expect(change["after"] as? String == String(reflecting: text))
        }
    }

    @Test("numbers that JSON has no words for are texts, and times are numbers, also before the start")
    func numbers() throws {
        let numbers = [Double.nan, .infinity, -.infinity, -0.0]
        for (index, record) in records(numbers).enumerated() where index.isMultiple(of: 2) {
            let event = try Self.parse(record.json(since: record.time))
            #expect(event["event"] as? String == "\(numbers[index / 2])")
        }
        let record = records(["a"])[0]
        let early = try Self.parse(record.json(since: record.time + .seconds(2)))
        #expect(early["ms"] as? Double == -2000)
        let late = try Self.parse(record.json(since: record.time - .microseconds(1500)))
        #expect(late["ms"] as? Double == 1.5)
    }

    /// Three of one name: the second is refused, the third takes the place of the first.
    private static var jobs: AnyPublisher<Int, Never> {
        let jobs: [AnyPublisher<Int, Never>] = [
            Just(0).job("j", .ignoreNew).eraseToAnyPublisher(),
            Empty<Int, Never>(completeImmediately: false).job("j", .queue).eraseToAnyPublisher(),
            Just(0).job("j", .latest).eraseToAnyPublisher(),
        ]
        return Publishers.MergeMany(jobs).eraseToAnyPublisher()
    }

    @Test("all kinds of record have their fields")
    func kinds() throws {
        struct Oops: Error {}
        let lines = Lock<[String]>([])
        let isOne = RulePattern<Int, Int>.becoming { $0 == 1 }
        let rules: [Rule.Complete<Int, Int>] = [
            Rule("fires").when(isOne).then { _ in [100, 101] },
            Rule("blocked").when(isOne).given { _ in false }.then { _ in 0 },
            Rule("fails").when(isOne).given { (_: Int) -> Int? in throw Oops() }.then { _ in 0 },
        ]
        let start = ContinuousClock.now
        let store = Store(
            initialState: 0, environment: (),
            options: LoopOptions(
                journal: { record in lines.withLock { $0.append(record.json(since: start)) } },
                coalesce: { $0 == 101 && $1 == 102 ? 102 : nil }, inbox: .reject(1), stepLimit: 2),
            feedback: { [Rule.events(of: rules, from: $0)] },
            transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in
                switch event {
                case 7: throw Rejection("not seven")
                case 8: return Self.jobs
                default: return Just(event).eraseToAnyPublisher()
                }
            },
            apply: { $1 == 0 ? $0 : $1 })
        let observer = store.states.sink { state in
            if state == 1 { for event in [102, 103] { store.send(event) } }
        }
        for event in [7, 8, 1] { store.send(event) }
        store.cancel()
        let objects = try lines.withLock { try $0.map(Self.parse) }
        func first(_ step: String, _ key: String? = nil, _ value: String? = nil) -> [String: Any]? {
            objects.first { $0["step"] as? String == step && (key == nil || $0[key!] as? String == value) }
        }
        let rejected = try #require(first("rejected"))
        #expect(rejected["file"] as? String == "MoonlightTests/JournalFormatTests.swift")
        #expect((rejected["line"] as? Int ?? 0) > 0)
        #expect(rejected["cause"] as? Int == 1)
        #expect(first("job", "job", "started")?["id"] as? String == "j")
        #expect(first("job", "job", "finished") != nil)
        #expect((first("job", "job", "refused")?["error"] as? String)?.contains("in flight as .queue") == true)
        #expect(first("rule", "name", "fires")?["events"] as? Int == 2)
        #expect(first("rule", "name", "blocked")?["given"] as? Int == 1)
        #expect(first("rule", "name", "fails")?["error"] as? String == "Oops()")
        #expect(first("coalesced")?["count"] as? Int == 1)
        #expect(first("overflowed")?["count"] as? Int == 1)
        #expect(first("overflowed")?["event"] as? String == "103")
        #expect(first("runaway")?["steps"] as? Int == 2)
        #expect(objects.last?["step"] as? String == "ended")
        #expect(objects.last?["cancelled"] as? Bool == true)
        withExtendedLifetime(observer) {}
    }
}

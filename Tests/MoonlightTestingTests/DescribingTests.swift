import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private final class Box: CustomStringConvertible {
    let (number, name) = (1, "a")
    var description: String { "a box" }
}

private struct Nothing: Equatable, CustomStringConvertible { var description: String { "no fields" } }

/// A value that is never equal to itself, but has an equal description.
private struct Odd: Equatable {
    static func == (one: Odd, other: Odd) -> Bool { false }
}

/// Descriptions of values and their differences.
struct DescribingTests {
    private func message<State, Event, Effect, Environment>(_ plan: Plan<State, Event, Effect, Environment>) -> String {
        do {
            try plan.run()
            return "did not fail"
        } catch { return error.message }
    }

    private func plan<State: Equatable & Sendable>(_ state: State) -> Plan<State, Int, Int, Void> {
        Plan(Reducer<State, Int, Int, Void>(), given: state, environment: ())
    }

    @Test("A struct and an object are described field by field, any other value as a whole")
    func fields() {
        expectEqual(Differences.fields(of: Counter(count: 1)), ["count is 1", "isBusy is false", "message is nil"])
        expectEqual(Differences.fields(of: Box()), ["number is 1", "name is \"a\""])
        expectEqual(Differences.fields(of: Nothing()), ["no fields"])
        expectEqual(Differences.fields(of: 7), ["7"])
        expectEqual(Differences.fields(of: "a"), ["\"a\""])
        expectEqual(Differences.fields(of: [1, 2]), ["[1, 2]"])
        expectEqual(Differences.fields(of: (1, 2)), ["(1, 2)"])
    }

    @Test("Strings are described in quotes, optionals as their value")
    func describing() {
        expectEqual(ValueText.describe("a\n"), "\"a\\n\"")
        expectEqual(ValueText.describe(Int?.some(1) as Any), "1")
        expectEqual(ValueText.describe(String??.some("a") as Any), "\"a\"")
        expectEqual(ValueText.describe(Int?.none as Any), "nil")
        expectEqual(ValueText.describe(Box()), "a box")
    }

    @Test("The elements of sets and dictionaries are described in the same order each time, also inside other values")
    func sorted() {
        struct Names: Equatable { var all: Set<String> }
        let words = ["e", "b", "d", "a", "c"]
        for capacity in [0, 100, 1_000, 10_000] {
            var (set, numbers) = (Set<String>(minimumCapacity: capacity), [String: Int](minimumCapacity: capacity))
            for word in words {
                set.insert(word)
                numbers[word] = word.utf8.count
            }
            expectEqual(ValueText.describe(set), #"["a", "b", "c", "d", "e"]"#)
            expectEqual(ValueText.describe(numbers), #"["a": 1, "b": 1, "c": 1, "d": 1, "e": 1]"#)
            expectEqual(ValueText.describe(Names(all: set)), #"Names(all: ["a", "b", "c", "d", "e"])"#)
            expectEqual(ValueText.describe([Optional(set)]), #"[["a", "b", "c", "d", "e"]]"#)
        }
    }

    @Test("A text of more than 120 characters is shown by its first and last 60")
    func shortened() {
        let half = String(repeating: "a", count: 60)
        expectEqual(ValueText.shown(half + half), half + half)
        let longer = "b" + String(repeating: "a", count: 119) + "c"
        expectEqual(ValueText.shown(longer), "b\(half.dropLast())…\(half.dropLast())c (121 characters)")
        expectEqual(ValueText.shown(nil), "nothing")
        expectEqual(ValueText.shown("a\nb\nc"), "a⏎b⏎c")
        expectEqual(ValueText.shown(""), "")
    }

    @Test("A change is described with the path to it, and without one if the whole value differs")
    func changes() {
        expectEqual(Differences.change(from: 1, to: 2), ["1 → 2"])
        expectEqual(
            Differences.change(from: Counter(), to: Counter(count: 2, message: "x")), ["count: 0 → 2", "message: nil → \"x\""])
        expectEqual(Differences.change(from: [1], to: [1, 2]), ["[1]: nothing → 2"])
        expectEqual(Differences.change(from: 1, to: 1), [])
    }

    @Test("A failure names the part that was checked, followed by the path to the difference")
    func failures() {
        struct Lists: Equatable, Sendable { var numbers = [1, 2] }
        expectEqual(message(plan(Lists()).then(\.numbers, equals: [1, 3])), "numbers[1]: expected 3, got 2")
        expectEqual(message(plan(Lists()).then(equals: Lists(numbers: [1, 3]))), "numbers[1]: expected 3, got 2")
        expectEqual(message(plan([1]).then(equals: [2])), "[0]: expected 2, got 1")
        expectEqual(message(plan(1).then(\.self, equals: 2)), "self: expected 2, got 1")
        expectEqual(message(plan(Counter()).then(\.message) { _ in }), "message: expected a value, got nil")
        expectEqual(message(plan(Counter(message: "m")).then(\.message, equals: nil)), "message: expected nil, got \"m\"")
    }

    @Test("Different values with equal descriptions are described as such")
    func lookAlike() {
        let expected = "expected Odd(), got another Odd with the same description"
        expectEqual(message(plan(Odd()).then(\.self, equals: Odd())), "self: \(expected)")
    }

    @Test("A failure of `emits` lists the effects of the last step, or states that there were none")
    func noEffects() {
        let text = message(counterPlan().emits(.idle))
        expectEqual(text, "effects[0]: expected idle, got nothing\nThe last step led to these effects: none")
    }
}

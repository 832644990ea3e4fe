import Moonlight
import MoonlightTesting
import Streams
import Testing

private final class Box: CustomStringConvertible {
    let (number, name) = (1, "a")
    var description: String { "a box" }
}

private struct Nothing: Equatable, CustomStringConvertible { var description: String { "no fields" } }

/// A value that is never equal to itself, and looks the same.
private struct Odd: Equatable {
    static func == (one: Odd, other: Odd) -> Bool { false }
}

/// How values and their differences are described.
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

    @Test("the fields of a struct and of an object are told one by one, any other value as a whole")
    func fields() {
        #expect(Differences.fields(of: Counter(count: 1)) == ["count is 1", "isBusy is false", "message is nil"])
        #expect(Differences.fields(of: Box()) == ["number is 1", "name is \"a\""])
        #expect(Differences.fields(of: Nothing()) == ["no fields"])
        #expect(Differences.fields(of: 7) == ["7"])
        #expect(Differences.fields(of: "a") == ["\"a\""])
        #expect(Differences.fields(of: [1, 2]) == ["[1, 2]"])
        #expect(Differences.fields(of: (1, 2)) == ["(1, 2)"])
    }

    @Test("texts are described in quotes, optionals as what they hold")
    func describing() {
        #expect(Differences.describe("a\n") == "\"a\\n\"")
        #expect(Differences.describe(Int?.some(1) as Any) == "1")
        #expect(Differences.describe(String??.some("a") as Any) == "\"a\"")
        #expect(Differences.describe(Int?.none as Any) == "nil")
        #expect(Differences.describe(Box()) == "a box")
    }

    @Test("a text of more than 120 characters is shown by its first and last 60")
    func shortened() {
        let half = String(repeating: "a", count: 60)
        #expect(Differences.shown(half + half) == half + half)
        let longer = "b" + String(repeating: "a", count: 119) + "c"
        #expect(Differences.shown(longer) == "b\(half.dropLast())…\(half.dropLast())c (121 characters)")
        #expect(Differences.shown(nil) == "nothing")
        #expect(Differences.shown("a\nb\nc") == "a⏎b⏎c")
        #expect(Differences.shown("") == "")
    }

    @Test("changes are told by the way to them; that of the whole value has no name")
    func changes() {
        #expect(Differences.change(from: 1, to: 2) == ["1 → 2"])
        #expect(
            Differences.change(from: Counter(), to: Counter(count: 2, message: "x")) == ["count: 0 → 2", "message: nil → \"x\""])
        #expect(Differences.change(from: [1], to: [1, 2]) == ["[1]: nothing → 2"])
        #expect(Differences.change(from: 1, to: 1) == [])
    }

    @Test("what differs is named by the part that was asked for, and the way from there")
    func failures() {
        struct Lists: Equatable, Sendable { var numbers = [1, 2] }
        #expect(message(plan(Lists()).then(\.numbers, equals: [1, 3])) == "numbers[1]: expected 3, got 2")
        #expect(message(plan(Lists()).then(equals: Lists(numbers: [1, 3]))) == "numbers[1]: expected 3, got 2")
        #expect(message(plan([1]).then(equals: [2])) == "[0]: expected 2, got 1")
        #expect(message(plan(1).then(\.self, equals: 2)) == "self: expected 2, got 1")
        #expect(message(plan(Counter()).thenNotNil(\.message)) == "message: expected a value, got nil")
        #expect(message(plan(Counter(message: "m")).thenNil(\.message)) == "message: expected nil, got \"m\"")
    }

    @Test("values that differ and look the same are told as such")
    func lookAlike() {
        let expected = "expected Odd(), got another Odd that looks the same"
        #expect(message(plan(Odd()).then(\.self, equals: Odd())) == "self: \(expected)")
    }

    @Test("effects that were expected in vain are told, and that there was none")
    func noEffects() {
        let text = message(counterPlan().emits(.idle))
        #expect(text == "effects[0]: expected idle, got nothing\nThe last step led to these effects: none")
    }
}

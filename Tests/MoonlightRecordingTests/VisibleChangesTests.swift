import MoonlightTestSupport
import MoonlightTesting
import Testing

@testable import MoonlightRecording

private struct Account: Equatable, Sendable {
    struct Card: Equatable, Sendable {
        var number = ""
        var history: [String] = []
    }

    struct User: Equatable, Sendable {
        var name = ""
        var card: Card?
    }

    var count = 0
    var user: User? = User()
    var lines: [Int] = []

    mutating func change(_ dice: inout Dice) {
        func number(_ most: Int) -> Int { Int.random(in: 0...most, using: &dice) }
        switch number(8) {
        case 0: count = number(3)
        case 1: user?.name = "\(number(3))"
        case 2: user?.card = number(1) == 0 ? nil : Card(number: "\(number(9))")
        case 3: user?.card?.number = "\(number(9))"
        case 4: user?.card?.history.append("\(number(9))")
        case 5: user?.card?.history = []
        case 6: user = number(2) == 0 ? nil : User(name: "\(number(2))", card: Card(number: "\(number(9))"))
        default: lines.append(number(9))
        }
    }
}

@Suite("Recording: changes of a redacted state")
struct VisibleChangesTests {
    @Test(
        "The shown tree is that of the state without redacted values, and the visible changes lead to it",
        arguments: Budget.seeds(40, least: 3))
    func random(seed: Int) {
        for paths in [
            [\Account.user?.card], [\Account.user?.card?.number], [\Account.user], [\Account.count, \Account.user?.name],
        ]
            as [[PartialKeyPath<Account> & Sendable]]
        {
            let redactor = Redactor(paths)
            var dice = Dice(seed)
            var state = Account()
            var tracked = TrackedState(state)
            var shown = redactor.redacted(tracked.tree)
            for _ in 0..<60 {
                state.change(&dice)
                if Int.random(in: 0..<2, using: &dice) == 0 { state.change(&dice) }
                let changes = tracked.change(to: state)
                let (visible, now) = redactor.visible(changes, in: shown, of: tracked.tree)
                var replayed = shown
                for change in visible { replayed.apply(change) }
                expectEqual(replayed, now)
                expectEqual(now, redactor.redacted(TreeMaker.tree(of: state)))
                shown = now
            }
        }
    }

    @Test("A change below a redacted value is hidden, and one beside it is shown")
    func below() {
        let redactor = Redactor([\Account.user?.card])
        var state = Account(user: .init(name: "a", card: .init(number: "1", history: ["x"])))
        var tracked = TrackedState(state)
        let shown = redactor.redacted(tracked.tree)
        state.user?.card?.history.append("y")
        state.user?.card?.number = "2"
        state.user?.name = "b"
        let (visible, _) = redactor.visible(tracked.change(to: state), in: shown, of: tracked.tree)
        expectEqual(visible, [TreeChange(["user", "name"], .leaf("\"b\""))])
    }
}

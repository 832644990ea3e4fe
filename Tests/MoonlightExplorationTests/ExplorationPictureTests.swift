import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

private func picture(_ edges: (String, String, String)..., alone: [String] = []) -> ExplorationPicture {
    var picture = ExplorationPicture()
    for (source, choice, target) in edges { picture.add(.init(source: source, choice: choice, target: target)) }
    for state in alone { picture.add(state) }
    return picture
}

@Suite("Exploration: the difference of two pictures")
struct ChangesTests {
    private let earlier = picture(("idle", "pay", "paid"), ("paid", "cancel", "refunded"), ("refunded", "again", "idle")).text

    @Test("Removed choices and new states are listed")
    func changes() {
        let now = picture(
            ("idle", "pay", "paid"), ("paid", "ship", "shipped"), ("paid", "cancel", "cancelling"),
            ("cancelling", "refund answers ()", "refunded"), ("refunded", "again", "idle"))
        expectEqual(
            now.changes(since: earlier),
            [
                "+ 2 states: cancelling, shipped",
                "- paid --cancel--> refunded",
                "+ cancelling --refund answers ()--> refunded",
                "+ paid --cancel--> cancelling",
                "+ paid --ship--> shipped",
            ])
    }

    @Test("A picture does not differ from its own text, in any order and indentation of the lines")
    func same() {
        let now = picture(("refunded", "again", "idle"), ("idle", "pay", "paid"), ("paid", "cancel", "refunded"))
        expectEqual(now.changes(since: earlier), [])
        expectEqual(now.changes(since: "\n" + earlier.split(separator: "\n").reversed().map { "  \($0) \n" }.joined()), [])
    }

    @Test("Removed states are named, and many states are only counted")
    func many() {
        expectEqual(picture(("idle", "pay", "paid")).changes(since: earlier).first, "- 1 state: refunded")
        expectEqual(picture(alone: (1...6).map { "s\($0)" }).changes(since: ""), ["+ 6 states"])
        expectEqual(picture(alone: ["a"]).changes(since: "b"), ["+ 1 state: a", "- 1 state: b"])
    }

    @Test("A label with a line break, or one that contains an arrow, is compared as a whole")
    func oddLabels() {
        let odd = picture(("a\nb", "x --> y --z", "c --q--> d"))
        expectEqual(odd.text, "a\\nb --x --> y --z--> c --q--> d")
        expectEqual(odd.changes(since: odd.text), [])
        expectEqual(odd.changes(since: ""), ["+ 2 states: a\\nb, d", "+ \(odd.text)"])
    }
}

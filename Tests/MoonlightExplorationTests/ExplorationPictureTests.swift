import Foundation
import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

private func picture(_ edges: (String, String, String)..., alone: [String] = []) -> ExplorationPicture {
    var picture = ExplorationPicture()
    for (source, choice, target) in edges { picture.add(.init(source: source, choice: choice, target: target)) }
    for state in alone { picture.add(state) }
    return picture
}

/// A shop with a little of everything: choices that lead on, back by one, back by more, to the same column, and nowhere.
private let shop = picture(
    ("idle", "When add(1)", "filled"), ("filled", "When add(1)", "filled"), ("filled", "When clear", "idle"),
    ("filled", "When pay", "paying"), ("paying", "charge answers ok", "paid"), ("paying", "charge fails: Offline()", "failed"),
    ("failed", "When pay", "paying"), ("failed", "When clear", "idle"), ("paid", "When clear", "idle"),
    ("paid", "When refund", "failed"), ("paying", "charge fails: Declined()", "failed"))

/// The numbers of the attributes of a kind of element.
private func rectangles(_ svg: String, class name: String) -> [(x: Int, y: Int, width: Int, height: Int)] {
    svg.split(separator: "<").filter { $0.hasPrefix("rect class=\"\(name)\"") || $0.hasPrefix("rect class=\"first \(name)\"") }
        .compactMap { element in
            func number(_ key: String) -> Int? {
                let words = element.split(separator: " ").first { $0.hasPrefix("\(key)=\"") }
                return words.flatMap { Int($0.split(separator: "\"")[1]) }
            }
            guard let x = number("x"), let y = number("y"), let width = number("width"), let height = number("height") else {
                return nil
            }
            return (x, y, width, height)
        }
}

@Suite("Exploration: the picture in SVG")
struct SVGTests {
    @Test("Each state is drawn as a box, each pair of states as an arrow, and each choice as a label")
    func parts() {
        let svg = shop.svg()
        expectEqual(rectangles(svg, class: "box").count, 5)
        expectEqual(svg.count(of: "<path"), 10)
        expectEqual(svg.count(of: "charge fails: Offline()</tspan>"), 1)
        expectEqual(svg.count(of: "charge fails: Declined()</tspan>"), 1)
        expect(svg.contains("aria-label=\"5 states, 11 choices\""))
    }

    @Test("Boxes and labels do not overlap, and all lie within the picture")
    func overlaps() throws {
        var dense: [(String, String, String)] = []
        for number in 0..<40 {
            dense.append(("state \(number)", "When next", "state \((number * 7 + 1) % 40)"))
            dense.append(("state \(number)", "When double", "state \(number * 2 % 40)"))
        }
        var large = ExplorationPicture()
        for (source, choice, target) in dense { large.add(.init(source: source, choice: choice, target: target)) }
        for picture in [shop, large] {
            let svg = picture.svg()
            let size = try #require(svg.split(separator: "viewBox=\"0 0 ").dropFirst().first?.split(separator: "\"").first)
                .split(separator: " ").compactMap { Int($0) }
            let all = rectangles(svg, class: "box") + rectangles(svg, class: "paper")
            expect(all.count > picture.states.count)
            for (index, one) in all.enumerated() {
                expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= size[0] && one.y + one.height <= size[1])
                for other in all[(index + 1)...] {
                    let isApart =
                        one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y
                        || other.y + other.height <= one.y
                    expect(isApart, "\(one) \(other)")
                }
            }
        }
    }

    @Test("Choices that are marked are red, and no others")
    func marked() {
        let svg = shop.svg(marking: [.init(source: "paying", choice: "charge fails: Offline()", target: "failed")])
        expectEqual(svg.count(of: "class=\"marked line\""), 1)
        expectEqual(svg.count(of: "tspan class=\"marked\""), 1)
        expect(!shop.svg().contains("class=\"marked"))
    }

    @Test("Texts are escaped, and control characters made visible")
    func escaped() {
        let svg = picture(("a < \"b\" && c", "tell \u{1B}[0m>", "</text>")).svg()
        expect(svg.contains(">a &lt; &quot;b&quot; &amp;&amp; c</tspan>"))
        expect(svg.contains(">tell ␛[0m&gt;</tspan>"))
        expect(svg.contains(">&lt;/text&gt;</tspan>"))
    }

    @Test("A long label is broken into lines and cut, and is complete in the title")
    func long() {
        let label = Array(repeating: "twelve signs", count: 40).joined(separator: " ")
        let svg = picture((label, "When on", "月の本")).svg()
        expect(svg.contains("<title>\(label)</title>"))
        expectEqual(svg.count(of: "<tspan"), 8 + 1 + 1)
        expectEqual(svg.count(of: "…</tspan>"), 1)
        expectEqual(PictureText("月の本", columns: 4, mostLines: 2).lines, ["月の", "本"])
        expectEqual(PictureText("one two\nthree", columns: 5, mostLines: 3).lines, ["one ", "two", "three"])
    }

    @Test("Drawing the same graph twice gives the same text, and a picture without states is valid")
    func same() {
        expectEqual(shop.svg(), shop.svg())
        expect(ExplorationPicture().svg().hasSuffix("</svg>"))
        expectEqual(rectangles(picture(alone: ["alone"]).svg(), class: "box").count, 1)
    }

    @Test("Intervals are placed as near as possible to where they should be, without overlapping")
    func spread() {
        expectEqual(PictureLayers.spread([0, 100], sizes: [10, 10], gap: 5), [0, 100])
        expectEqual(PictureLayers.spread([0, 0], sizes: [10, 10], gap: 5), [-7.5, 7.5])
        expectEqual(PictureLayers.spread([50, 0, 100], sizes: [10, 10, 10], gap: 0), [20, 30, 100])
    }

    @Test("Columns are the distances from the first state, each sorted so that few arrows cross")
    func layers() {
        let layers = PictureLayers(count: 5, arrows: [(0, 1), (0, 2), (1, 4), (2, 3), (3, 0)])
        expectEqual(layers.columns, [[0], [1, 2], [4, 3]])
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}

@Suite("Exploration: the difference of two pictures")
struct ChangesTests {
    private let earlier = picture(("idle", "pay", "paid"), ("paid", "cancel", "refunded"), ("refunded", "again", "idle")).text

    @Test("Choices that have disappeared and states that are new are listed")
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

    @Test("A picture does not differ from its own text, in whatever order and indentation the lines are")
    func same() {
        let now = picture(("refunded", "again", "idle"), ("idle", "pay", "paid"), ("paid", "cancel", "refunded"))
        expectEqual(now.changes(since: earlier), [])
        expectEqual(now.changes(since: "\n" + earlier.split(separator: "\n").reversed().map { "  \($0) \n" }.joined()), [])
    }

    @Test("States that have disappeared are named, and many states are only counted")
    func many() {
        expectEqual(picture(("idle", "pay", "paid")).changes(since: earlier).first, "- 1 state: refunded")
        expectEqual(picture(alone: (1...6).map { "s\($0)" }).changes(since: ""), ["+ 6 states"])
        expectEqual(picture(alone: ["a"]).changes(since: "b"), ["+ 1 state: a", "- 1 state: b"])
    }

    @Test("A label with a line break, or one that looks like an arrow, is compared as a whole")
    func oddLabels() {
        let odd = picture(("a\nb", "x --> y --z", "c --q--> d"))
        expectEqual(odd.text, "a\\nb --x --> y --z--> c --q--> d")
        expectEqual(odd.changes(since: odd.text), [])
        expectEqual(odd.changes(since: ""), ["+ 2 states: a\\nb, d", "+ \(odd.text)"])
    }
}

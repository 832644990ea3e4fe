import MoonlightRecording
import MoonlightTestSupport
import Testing

@testable import MoonlightInspector

@Suite("Inspector: a state as rows")
struct StateRowsTests {
    private let state = StateTree.node(
        .structure, "App",
        [
            .init("name", .leaf("\"Ann\"")),
            .init(
                "cart",
                .node(.structure, "Cart", [.init("items", .node(.list, "", [.init("0", .leaf("1")), .init("1", .leaf("2"))]))])),
            .init("status", .leaf(".idle")),
        ])

    private func change(_ path: [String], before: StateTree? = .leaf("0"), after: StateTree? = .leaf("1")) -> Look.Change {
        Look.Change(path: path, title: path.joined(separator: "."), before: before, after: after)
    }

    private func shown(_ changes: [Look.Change] = [], _ folding: [[String]: Bool] = [:], of state: StateTree? = nil) -> [String] {
        StateRows(state ?? self.state, changes: changes, folding: folding).rows.map { row in
            "\(row.path.joined(separator: ".")) \(row.mark)\(row.isOpen ? " open" : "")"
        }
    }

    @Test("A value that fits in a row is closed until the user opens it")
    func folding() {
        expectEqual(shown(), ["name same", "cart same", "status same"])
        expectEqual(shown([], [["cart"]: true]), ["name same", "cart same open", "cart.items same", "status same"])
        expectEqual(shown([], [["name"]: true]), ["name same", "cart same", "status same"])
    }

    @Test("A value that contains a change is open, and the change is marked")
    func marks() {
        let items = [change(["cart", "items", "1"], before: nil)]
        expectEqual(
            shown(items),
            [
                "name same", "cart inside open", "cart.items inside open", "cart.items.0 same", "cart.items.1 added",
                "status same",
            ])
        expectEqual(shown(items, [["cart"]: false])[1], "cart inside")
        expectEqual(shown([change(["name"])])[0], "name changed")
        // What is gone has no row, and what contained it says so.
        expectEqual(
            shown([change(["cart", "old"], after: nil)]), ["name same", "cart inside open", "cart.items same", "status same"])
    }

    @Test("Each part of a replaced value is marked like it")
    func inherited() {
        expectEqual(shown([change(["cart"])], [["cart"]: true])[1...2], ["cart changed open", "cart.items changed"])
        expectEqual(shown([change(["cart"], before: nil)], [["cart"]: true])[1...2], ["cart added open", "cart.items added"])
        expectEqual(shown([change([])]), ["name changed", "cart changed", "status changed"])
    }

    @Test("A long value is open near the top, and closed where it is deep or has many parts")
    func long() {
        func list(_ count: Int) -> StateTree { .node(.list, "", (0..<count).map { .init("\($0)", .leaf("1234567890")) }) }
        func app(_ value: StateTree) -> StateTree { .node(.structure, "App", [.init("list", value)]) }
        expectEqual(shown(of: app(list(3))).count, 1)
        expectEqual(shown(of: app(list(4))).count, 5)
        expectEqual(shown(of: app(list(40))).count, 41)
        expectEqual(shown(of: app(list(41))).count, 1)
        expectEqual(shown(of: app(app(list(4)))).count, 6)
        expectEqual(shown(of: app(app(app(list(4))))).count, 3)
    }

    @Test("A state without parts has one row")
    func leaf() {
        expectEqual(shown(of: .leaf("7")), [" same"])
        expectEqual(shown([change([])], of: .leaf("7")), [" changed"])
    }

    @Test("A part without a row is found at the row that hides it")
    func index() {
        let rows = StateRows(state, changes: [], folding: [["cart"]: true])
        expect(rows.index(of: ["cart", "items"]) == 2 && rows.index(of: ["cart", "items", "1"]) == 2)
        expect(rows.index(of: ["cart"]) == 1 && rows.index(of: ["gone"]) == 0 && rows.index(of: []) == 0)
        expect(rows.index(of: ["status"]) == 3 && rows.rows[2].depth == 1 && rows.rows[2].name == "items")
    }

    @Test("A summary is the value in Swift, cut where it is too long")
    func summary() {
        let values: [StateTree] = [
            state, .leaf("1"), .node(.dictionary, "", []), .node(.dictionary, "", [.init("\"a\"", .leaf("1"))]),
            .node(.enumeration, "failed", [.init("0", .leaf(".offline"))]), .node(.set, "", [.init("1", .leaf("1"))]),
            .node(.tuple, "", [.init("0", .leaf("1")), .init("x", .leaf("2"))]), .node(.list, "", []),
        ]
        for value in values {
            let source = value.source
            expect(value.summary(limit: 1000) == source && value.summary(limit: source.count) == source)
            expect(value.fits(in: source.count) && !value.fits(in: source.count - 1))
            for limit in 0..<source.count { expectEqual(value.summary(limit: limit), source.prefix(limit) + "…") }
        }
    }
}

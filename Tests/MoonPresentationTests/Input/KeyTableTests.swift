import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Keys: tables and names")
struct KeyTableTests {
    private enum Event: Equatable {
        case remove, new
        case open(Int)
    }

    @Test("A key table has the event of each key")
    func dictionary() {
        let table: KeyTable<Event> = [.control("d"): .remove, "n": .new]
        expectEqual(table[.control("d")], .send(.remove))
        expectEqual(table["n"], .send(.new))
        expect(table["x"] == nil)
        expect(table.duplicates == [] && table.help == [])
    }

    @Test("An entry of a key table has several keys and a help text")
    func lines() {
        let table: KeyTable<Event> = [
            .key("n", .insert, sends: .new, help: "new note"), .key(.control("d"), sends: .remove),
            .quit("q", .escape, help: "quit"),
        ]
        expect(table["n"] == .send(.new) && table[.insert] == .send(.new))
        expect(table["q"] == .quit && table[.escape] == .quit)
        expectEqual(table.help, [KeyHelp(keys: ["n", "Insert"], text: "new note"), KeyHelp(keys: ["q", "Esc"], text: "quit")])
    }

    @Test("A key that occurs twice in a table is reported, and its first entry is used")
    func duplicates() {
        let table: KeyTable<Event> = ["a": .remove, "b": .new, "a": .open(1), "a": .open(2)]
        expectEqual(table.duplicates, ["a", "a"])
        expectEqual(table["a"], .send(.remove))
        let lines: KeyTable<Event> = [.key("a", "b", "a", sends: .new)]
        expectEqual(lines.duplicates, ["a"])
    }

    @Test("A child's key table is mapped to one of the parent")
    func map() {
        let child: KeyTable<Int> = [.key("a", sends: 7, help: "seven"), .quit("q")]
        let parent = child.map(Event.open)
        expect(parent["a"] == .send(.open(7)) && parent["q"] == .quit)
        expectEqual(parent.help, child.help)
    }

    @Test(
        "Each key has a name",
        arguments: [
            ("x", "x"), ("X", "X"), (.control("d"), "Ctrl-D"), (.shift(.tab), "Shift-Tab"), (.function(12), "F12"),
            (.alt("x"), "Alt-x"), (Key(.pageUp, [.control, .alt, .shift, .command]), "Ctrl-Alt-Super-Shift-Page Up"),
            (" ", "Space"), (.control(" "), "Ctrl-Space"), (.escape, "Esc"), (.up, "↑"), (.down, "↓"), (.left, "←"),
            (.right, "→"),
            (.enter, "Enter"), (.backspace, "Backspace"), (.delete, "Delete"), (.insert, "Insert"), (.home, "Home"),
            (.end, "End"),
            (.pageDown, "Page Down"),
        ] as [(Key, String)])
    func names(_ key: Key, _ name: String) {
        expect(key.name == name && key.description == name)
    }
}

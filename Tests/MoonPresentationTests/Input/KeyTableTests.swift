import MoonPresentation
import Testing

@Suite("Keys: tables and names")
struct KeyTableTests {
    private enum Event: Equatable {
        case remove, new
        case open(Int)
    }

    @Test("a table of keys and events says what a key does")
    func dictionary() {
        let table: KeyTable<Event> = [.control("d"): .remove, "n": .new]
        #expect(table[.control("d")] == .send(.remove))
        #expect(table["n"] == .send(.new))
        #expect(table["x"] == nil)
        #expect(table.duplicates == [] && table.help == [])
        #expect(KeyTable<Event>().isEmpty && !table.isEmpty)
    }

    @Test("a line has several keys and a help")
    func lines() {
        let table: KeyTable<Event> = [
            .key("n", .insert, sends: .new, help: "new note"), .key(.control("d"), sends: .remove),
            .quit("q", .escape, help: "quit"),
        ]
        #expect(table["n"] == .send(.new) && table[.insert] == .send(.new))
        #expect(table["q"] == .quit && table[.escape] == .quit)
        #expect(table.help == [KeyHelp(keys: ["n", "Insert"], text: "new note"), KeyHelp(keys: ["q", "Esc"], text: "quit")])
    }

    @Test("a key that is there again is reported, and the first line counts")
    func duplicates() {
        let table: KeyTable<Event> = ["a": .remove, "b": .new, "a": .open(1), "a": .open(2)]
        #expect(table.duplicates == ["a", "a"])
        #expect(table["a"] == .send(.remove))
        let lines: KeyTable<Event> = [.key("a", "b", "a", sends: .new)]
        #expect(lines.duplicates == ["a"])
    }

    @Test("a child's table becomes one of the parent")
    func map() {
        let child: KeyTable<Int> = [.key("a", sends: 7, help: "seven"), .quit("q")]
        let parent = child.map(Event.open)
        #expect(parent["a"] == .send(.open(7)) && parent["q"] == .quit)
        #expect(parent.help == child.help)
    }

    @Test(
        "keys have names",
        arguments: [
            ("x", "x"), ("X", "X"), (.control("d"), "Ctrl-D"), (.shift(.tab), "Shift-Tab"), (.function(12), "F12"),
            (.alt("x"), "Alt-x"), (Key(.pageUp, [.control, .alt, .shift, .command]), "Ctrl-Alt-Super-Shift-Page Up"),
            (" ", "Space"), (.control(" "), "Ctrl-Space"), (.escape, "Esc"), (.up, "↑"), (.down, "↓"), (.left, "←"),
            (.right, "→"),
            (.enter, "Enter"), (.backspace, "Backspace"), (.delete, "Delete"), (.insert, "Insert"), (.home, "Home"),
            (.end, "End"),
            (.pageDown, "Page Down"), (Key(.begin), "Begin"), (Key(.menu), "Menu"), (Key(.printScreen), "Print"),
            (Key(.pause), "Pause"),
        ] as [(Key, String)])
    func names(_ key: Key, _ name: String) {
        #expect(key.name == name && key.description == name)
    }
}

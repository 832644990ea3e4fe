import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("TextInput: text that is edited")
struct TextInputTests {
    /// The text with `|` at the cursor, and `[` and `]` around the selection.
    private func shown(_ input: TextInput) -> String {
        let selection = input.selection
        var text = ""
        for (index, place) in input.text.indices.map({ ($0, input.text.utf8.distance(from: input.text.startIndex, to: $0)) }) {
            text += marks(at: place, input.cursor, selection) + String(input.text[index])
        }
        return text + marks(at: input.text.utf8.count, input.cursor, selection)
    }

    private func marks(at place: Int, _ cursor: Int, _ selection: Range<Int>) -> String {
        var marks = ""
        if !selection.isEmpty, place == selection.upperBound { marks += "]" }
        if place == cursor { marks += "|" }
        if !selection.isEmpty, place == selection.lowerBound { marks += "[" }
        return marks
    }

    private func edited(_ text: TextInput, _ edits: TextEdit...) -> String {
        var input = text
        for edit in edits { input.apply(edit) }
        return shown(input)
    }

    // MARK: - Inserting

    @Test("Text is inserted at the cursor, and the cursor stands behind it")
    func insert() {
        expectEqual(edited("ac", .move(.left), .insert("b")), "ab|c")
        expectEqual(edited("", .insert("日本"), .insert("")), "日本|")
    }

    @Test("Line breaks of all kinds become line feeds")
    func lineBreaks() {
        expectEqual(edited("", .insert("a\r\nb\rc\nd")), "a\nb\nc\nd|")
        expectEqual(edited("", .insert("a\u{85}b\u{2028}c\u{2029}d\u{B}e\u{C}")), "a\nb\nc\nd\ne\n|")
        expectEqual(TextInput("a\r\nb").text, "a\nb")
    }

    @Test("An accent that is typed behind a letter becomes a part of it")
    func accents() {
        expectEqual(edited("e", .insert("\u{301}"), .delete(.left)), "|")
        // Put before an accent, a letter takes it, and the cursor stands behind both.
        expectEqual(edited("\u{301}x", .move(.start), .insert("e")), "e\u{301}|x")
    }

    // MARK: - Moving and deleting

    @Test("The cursor moves by visible characters, and stops at the ends")
    func characters() {
        let family: TextInput = "a👨‍👩‍👧e\u{301}"
        expectEqual(edited(family, .move(.left)), "a👨‍👩‍👧|e\u{301}")
        expectEqual(edited(family, .move(.left), .move(.left)), "a|👨‍👩‍👧e\u{301}")
        expectEqual(edited(family, .move(.start), .move(.left)), "|a👨‍👩‍👧e\u{301}")
        expectEqual(edited(family, .move(.start), .move(.right), .move(.right)), "a👨‍👩‍👧|e\u{301}")
        expectEqual(edited(family, .move(.right)), "a👨‍👩‍👧e\u{301}|")
        expectEqual(edited(family, .move(.left), .delete(.left)), "a|e\u{301}")
        expectEqual(edited(family, .move(.start), .delete(.right), .delete(.right)), "|e\u{301}")
        expectEqual(edited("", .delete(.left), .delete(.right)), "|")
    }

    @Test("A place within a character is moved to its beginning")
    func places() {
        expectEqual(edited("日本", .move(.to(4))), "日|本")
        expectEqual(edited("日本", .move(.to(99))), "日本|")
        expectEqual(edited("日本", .move(.to(-1))), "|日本")
        expectEqual(edited("👨‍👩‍👧x", .move(.to(7))), "|👨‍👩‍👧x")
    }

    @Test("Words are letters, digits and underscores")
    func words() {
        let text: TextInput = "let a_1 = (größe + 2)"
        expectEqual(edited(text, .move(.wordLeft)), "let a_1 = (größe + |2)")
        expectEqual(edited(text, .move(.wordLeft), .move(.wordLeft)), "let a_1 = (|größe + 2)")
        expectEqual(edited(text, .move(.start), .move(.wordRight), .move(.wordRight)), "let a_1| = (größe + 2)")
        expectEqual(edited(text, .move(.wordRight)), "let a_1 = (größe + 2)|")
        expectEqual(edited("  ", .move(.wordLeft)), "|  ")
        expectEqual(edited("one two", .kill(.wordLeft)), "one |")
        expectEqual(edited("one two", .move(.start), .kill(.wordRight)), "| two")
    }

    @Test("Lines begin and end at line breaks")
    func lines() {
        let text: TextInput = "one\ntwo\nthree"
        expectEqual(edited(text, .move(.to(5)), .move(.lineStart)), "one\n|two\nthree")
        expectEqual(edited(text, .move(.to(5)), .move(.lineEnd)), "one\ntwo|\nthree")
        expectEqual(edited(text, .move(.to(4)), .move(.lineStart)), "one\n|two\nthree")
        expectEqual(edited(text, .move(.to(7)), .move(.lineEnd)), "one\ntwo|\nthree")
        expectEqual(edited(text, .move(.lineEnd)), "one\ntwo\nthree|")
        expectEqual(edited(text, .move(.start), .move(.lineStart), .move(.end)), "one\ntwo\nthree|")
        expectEqual(edited(text, .move(.to(5)), .kill(.lineEnd)), "one\nt|\nthree")
        expectEqual(edited(text, .move(.to(5)), .kill(.lineStart)), "one\n|wo\nthree")
    }

    @Test("A move by rows follows the visible rows, and the cursor returns to its column")
    func rows() {
        let text: TextInput = "abcdef\nxy\n日本語文"
        expectEqual(edited(text, .move(.to(4)), .move(.rows(1, width: 20))), "abcdef\nxy|\n日本語文")
        expectEqual(edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .move(.rows(1, width: 20))), "abcdef\nxy\n日本|語文")
        expectEqual(edited(text, .move(.to(5)), .move(.rows(2, width: 20))), "abcdef\nxy\n日本|語文")
        expectEqual(edited(text, .move(.to(1)), .move(.rows(1, width: 4))), "abcde|f\nxy\n日本語文")
        expectEqual(edited(text, .move(.to(1)), .move(.rows(-1, width: 4))), "|abcdef\nxy\n日本語文")
        expectEqual(edited(text, .move(.rows(1, width: 4))), "abcdef\nxy\n日本語文|")
        // A change or a horizontal move resets the column.
        expectEqual(
            edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .insert("z"), .move(.rows(-1, width: 20))),
            "abc|def\nxyz\n日本語文")
        expectEqual(
            edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .move(.left), .move(.rows(-1, width: 20))),
            "a|bcdef\nxy\n日本語文")
    }

    // MARK: - Selecting

    @Test("A move with selection keeps the other end, and one without ends the selection")
    func selecting() {
        expectEqual(edited("abc", .move(.left, selecting: true)), "ab|[c]")
        expectEqual(edited("abc", .move(.left, selecting: true), .move(.left, selecting: true)), "a|[bc]")
        expectEqual(edited("abc", .move(.left, selecting: true), .move(.right, selecting: true)), "abc|")
        expectEqual(edited("abc", .move(.start), .move(.right, selecting: true)), "[a]|bc")
        expectEqual(edited("abc", .move(.start, selecting: true), .move(.left)), "|abc")
        expectEqual(edited("abc", .move(.start, selecting: true), .move(.right)), "abc|")
        expectEqual(edited("abc", .move(.start, selecting: true), .move(.right)), "abc|")
        expectEqual(edited("", .move(.start, selecting: true)), "|")
    }

    @Test("A selection is replaced, deleted or killed as a whole")
    func selection() {
        expectEqual(edited("abc", .move(.start, selecting: true), .insert("x")), "x|")
        expectEqual(edited("abc", .move(.start, selecting: true), .delete(.left)), "|")
        expectEqual(edited("abc", .move(.wordLeft, selecting: true), .kill(.right), .yank, .yank), "abcabc|")
        var input: TextInput = "abc"
        input.apply(.move(.left, selecting: true))
        expect(input.selectedText == "c" && input.selection == 2..<3)
    }

    @Test("The text that was killed last can be yanked, and killing nothing does not lose it")
    func killing() {
        expectEqual(edited("one two", .kill(.wordLeft), .kill(.right), .move(.start), .yank), "two|one ")
        expectEqual(edited("one", .yank), "one|")
        expectEqual(edited("one", .delete(.wordLeft), .yank), "|")
    }

    // MARK: - Taking back

    @Test("Text that is typed without interruption is undone as a whole")
    func undo() {
        expectEqual(edited("", .insert("a"), .insert("b"), .undo), "|")
        expectEqual(edited("", .insert("a"), .insert(" "), .insert("b"), .undo), "a |")
        expectEqual(edited("", .insert("a"), .move(.left), .insert("b"), .undo), "|a")
        expectEqual(edited("abc", .delete(.left), .delete(.left), .undo), "abc|")
        expectEqual(edited("abc", .delete(.left), .insert("x"), .undo), "ab|")
        expectEqual(edited("abc", .move(.start, selecting: true), .insert("x"), .insert("y"), .undo, .undo), "|abc")
        expectEqual(edited("abc", .undo), "abc|")
        expectEqual(edited("", .insert("a"), .move(.start, selecting: true), .insert("x"), .undo), "|a")
    }

    @Test("An undone change can be redone, until something else is done")
    func redo() {
        expectEqual(edited("", .insert("a"), .undo, .redo), "a|")
        expectEqual(edited("", .insert("a"), .undo, .insert("b"), .redo), "b|")
        expectEqual(edited("", .insert("a"), .redo), "a|")
        expectEqual(edited("", .insert("a"), .insert(" "), .undo, .undo, .redo, .redo, .undo), "a|")
    }

    @Test("A hundred changes can be undone")
    func limit() {
        var input = TextInput()
        for _ in 0..<150 { input.apply(.insert("word ")) }
        for _ in 0..<200 { input.apply(.undo) }
        expectEqual(input.text.count, 50 * 5)
    }

    // MARK: - History and completion

    @Test("Submitting empties the text, and the history shows it again")
    func history() {
        var input: TextInput = "one"
        expect(input.submit() == "one" && input.isEmpty && input.cursor == 0)
        input.apply(.insert("two"))
        expectEqual(input.submit(), "two")
        input.apply(.insert("thr"))
        expectEqual(edited(input, .earlier), "two|")
        expectEqual(edited(input, .earlier, .earlier, .earlier), "one|")
        expectEqual(edited(input, .earlier, .earlier, .later), "two|")
        expectEqual(edited(input, .earlier, .later), "thr|")
        expectEqual(edited(input, .earlier, .earlier, .later, .later), "thr|")
        expectEqual(edited(input, .later), "thr|")
        expectEqual(edited(input, .earlier, .later, .later, .earlier), "two|")
    }

    @Test("Line breaks of entries of the history become line feeds")
    func historyLineBreaks() {
        var input = TextInput(history: ["a\r\nb\rc"])
        input.apply(.earlier)
        expectEqual(Array(input.text.utf8), Array("a\nb\nc".utf8))
    }

    @Test("The history has no empty entries, and no entry twice in a row")
    func historyEntries() {
        var input = TextInput(history: ["a"])
        _ = input.submit()
        input.apply(.insert("a"))
        _ = input.submit()
        expectEqual(input.history.entries, ["a"])
        input.apply(.insert("b"))
        _ = input.submit()
        expectEqual(input.history.entries, ["a", "b"])
    }

    @Test("The killed text survives submitting, and changes cannot be undone afterwards")
    func submitting() {
        var input: TextInput = "one"
        input.apply(.kill(.wordLeft))
        _ = input.submit()
        expectEqual(edited(input, .undo, .yank), "one|")
    }

    @Test("A text is completed to the first name that begins with it, only at its end")
    func completion() {
        let names = ["apple", "apricot", "banana"]
        expectEqual(edited("ap", .complete(names)), "apple|")
        expectEqual(edited("apr", .complete(names)), "apricot|")
        expectEqual(edited("apple", .complete(names)), "apple|")
        expectEqual(edited("", .complete(names)), "|")
        expectEqual(edited("ap", .move(.left), .complete(names)), "a|p")
        expectEqual(edited("ap", .complete(names), .undo), "ap|")
        // An empty selection is none.
        expectEqual(edited("ap", .move(.left, selecting: true), .move(.right, selecting: true), .complete(names)), "apple|")
        expectEqual(edited("x", .complete([])), "x|")
    }

    @Test(
        "A text is completed to a name that is composed in another Unicode form, byte for byte",
        arguments: [
            ("cafe\u{301}", "caf\u{e9} noir"), ("caf\u{e9}", "cafe\u{301} noir"), ("e\u{301}e\u{301}", "\u{e9}\u{e9}s"),
            ("\u{1100}\u{1161}", "\u{ac00}\u{ac00}"),
        ])
    func completionInAnotherForm(text: String, name: String) {
        var input = TextInput(text)
        input.apply(.complete([name]))
        expect(Array(input.text.utf8) == Array(name.utf8) && input.cursor == name.utf8.count)
        input.apply(.undo)
        expectEqual(Array(input.text.utf8), Array(text.utf8))
    }

    @Test("A character that a name continues with a combining mark is not completed, nor a name in another Unicode form")
    func completionWithinCharacters() {
        expectEqual(edited("e", .complete(["e\u{301}a"])), "e|")
        var input: TextInput = "caf\u{e9}"
        input.apply(.complete(["cafe\u{301}"]))
        expectEqual(Array(input.text.utf8), Array("caf\u{e9}".utf8))
    }

    @Test("The same characters in another Unicode form are a different text: positions are counted in bytes")
    func equality() {
        var (one, other) = (TextInput("caf\u{e9}s"), TextInput("cafe\u{301}s"))
        one.apply(.move(.start))
        other.apply(.move(.start))
        expect(one != other && one == one && one.text == other.text)
        for edit in [TextEdit.kill(.end), .insert("x")] {
            one.apply(edit)
            other.apply(edit)
        }
        // Killed text and undone text are compared by bytes, too.
        expect(one != other && one.text == "x")
    }

    @Test("A text that is replaced can be restored by undo")
    func replace() {
        var input: TextInput = "one"
        input.replace(with: "two")
        expectEqual(shown(input), "two|")
        expectEqual(edited(input, .undo), "one|")
    }

    @Test("Generated: the cursor and the selection stand where characters begin, after any edits", arguments: Budget.seeds(200))
    func invariants(seed: Int) {
        let pieces = ["a", "e", "\u{301}", "日", "👨", "\u{200D}", "👩", "\n", " ", "🇪", "🇺", "\r\n", "x_1", "ก็"]
        var random = Dice(seed: seed)
        var input = TextInput()
        for _ in 0..<60 {
            input.apply(edit(pieces, &random))
            let places = Set(input.text.indices.map { input.text.utf8.distance(from: input.text.startIndex, to: $0) })
                .union([input.text.utf8.count])
            expect(places.contains(input.cursor), "\(input)")
            expect(places.contains(input.selection.lowerBound) && places.contains(input.selection.upperBound), "\(input)")
        }
    }

    private func edit(_ pieces: [String], _ random: inout Dice) -> TextEdit {
        let moves: [TextMove] = [
            .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .start, .end, .rows(1, width: 3), .rows(-1, width: 3),
            .to(Int.random(in: -1...30, using: &random)),
        ]
        let move = moves.randomElement(using: &random) ?? .left
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .delete(move)
        case 1: return .kill(move)
        case 2: return .yank
        case 3, 4: return .move(move, selecting: Bool.random(using: &random))
        case 5: return [.undo, .redo, .earlier, .later].randomElement(using: &random) ?? .undo
        default: return .insert(pieces.randomElement(using: &random) ?? "a")
        }
    }
}

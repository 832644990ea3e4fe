import Testing

@testable import MoonPresentation

@Suite("Widgets: text that is edited")
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

    @Test("text is put at the cursor, and the cursor stands behind it")
    func insert() {
        #expect(edited("ac", .move(.left), .insert("b")) == "ab|c")
        #expect(edited("", .insert("日本"), .insert("")) == "日本|")
    }

    @Test("line breaks of all kinds become one")
    func lineBreaks() {
        #expect(edited("", .insert("a\r\nb\rc\nd")) == "a\nb\nc\nd|")
        #expect(TextInput("a\r\nb").text == "a\nb")
    }

    @Test("an accent that is typed behind a letter becomes a part of it")
    func accents() {
        #expect(edited("e", .insert("\u{301}"), .delete(.left)) == "|")
        // Put before an accent, a letter takes it, and the cursor stands behind both.
        #expect(edited("\u{301}x", .move(.start), .insert("e")) == "e\u{301}|x")
    }

    // MARK: - Moving and deleting

    @Test("the cursor moves by characters as they are seen, and stops at the ends")
    func characters() {
        let family: TextInput = "a👨‍👩‍👧e\u{301}"
        #expect(edited(family, .move(.left)) == "a👨‍👩‍👧|e\u{301}")
        #expect(edited(family, .move(.left), .move(.left)) == "a|👨‍👩‍👧e\u{301}")
        #expect(edited(family, .move(.start), .move(.left)) == "|a👨‍👩‍👧e\u{301}")
        #expect(edited(family, .move(.start), .move(.right), .move(.right)) == "a👨‍👩‍👧|e\u{301}")
        #expect(edited(family, .move(.right)) == "a👨‍👩‍👧e\u{301}|")
        #expect(edited(family, .move(.left), .delete(.left)) == "a|e\u{301}")
        #expect(edited(family, .move(.start), .delete(.right), .delete(.right)) == "|e\u{301}")
        #expect(edited("", .delete(.left), .delete(.right)) == "|")
    }

    @Test("a place within a character is its beginning")
    func places() {
        #expect(edited("日本", .move(.to(4))) == "日|本")
        #expect(edited("日本", .move(.to(99))) == "日本|")
        #expect(edited("日本", .move(.to(-1))) == "|日本")
        #expect(edited("👨‍👩‍👧x", .move(.to(7))) == "|👨‍👩‍👧x")
    }

    @Test("words are letters, digits and underscores")
    func words() {
        let text: TextInput = "let a_1 = (größe + 2)"
        #expect(edited(text, .move(.wordLeft)) == "let a_1 = (größe + |2)")
        #expect(edited(text, .move(.wordLeft), .move(.wordLeft)) == "let a_1 = (|größe + 2)")
        #expect(edited(text, .move(.start), .move(.wordRight), .move(.wordRight)) == "let a_1| = (größe + 2)")
        #expect(edited(text, .move(.wordRight)) == "let a_1 = (größe + 2)|")
        #expect(edited("  ", .move(.wordLeft)) == "|  ")
        #expect(edited("one two", .kill(.wordLeft)) == "one |")
        #expect(edited("one two", .move(.start), .kill(.wordRight)) == "| two")
    }

    @Test("lines begin and end at line breaks")
    func lines() {
        let text: TextInput = "one\ntwo\nthree"
        #expect(edited(text, .move(.to(5)), .move(.lineStart)) == "one\n|two\nthree")
        #expect(edited(text, .move(.to(5)), .move(.lineEnd)) == "one\ntwo|\nthree")
        #expect(edited(text, .move(.to(4)), .move(.lineStart)) == "one\n|two\nthree")
        #expect(edited(text, .move(.to(7)), .move(.lineEnd)) == "one\ntwo|\nthree")
        #expect(edited(text, .move(.lineEnd)) == "one\ntwo\nthree|")
        #expect(edited(text, .move(.start), .move(.lineStart), .move(.end)) == "one\ntwo\nthree|")
        #expect(edited(text, .move(.to(5)), .kill(.lineEnd)) == "one\nt|\nthree")
        #expect(edited(text, .move(.to(5)), .kill(.lineStart)) == "one\n|wo\nthree")
    }

    @Test("rows are those that are shown, and the cursor returns to its column")
    func rows() {
        let text: TextInput = "abcdef\nxy\n日本語文"
        #expect(edited(text, .move(.to(4)), .move(.rows(1, width: 20))) == "abcdef\nxy|\n日本語文")
        #expect(edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .move(.rows(1, width: 20))) == "abcdef\nxy\n日本|語文")
        #expect(edited(text, .move(.to(5)), .move(.rows(2, width: 20))) == "abcdef\nxy\n日本|語文")
        #expect(edited(text, .move(.to(1)), .move(.rows(1, width: 4))) == "abcde|f\nxy\n日本語文")
        #expect(edited(text, .move(.to(1)), .move(.rows(-1, width: 4))) == "|abcdef\nxy\n日本語文")
        #expect(edited(text, .move(.rows(1, width: 4))) == "abcdef\nxy\n日本語文|")
        // A change and a move to the side end the return.
        #expect(
            edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .insert("z"), .move(.rows(-1, width: 20)))
                == "abc|def\nxyz\n日本語文")
        #expect(
            edited(text, .move(.to(4)), .move(.rows(1, width: 20)), .move(.left), .move(.rows(-1, width: 20)))
                == "a|bcdef\nxy\n日本語文")
    }

    // MARK: - Selecting

    @Test("a move with selection keeps its other end, and one without ends the selection")
    func selecting() {
        #expect(edited("abc", .move(.left, selecting: true)) == "ab|[c]")
        #expect(edited("abc", .move(.left, selecting: true), .move(.left, selecting: true)) == "a|[bc]")
        #expect(edited("abc", .move(.left, selecting: true), .move(.right, selecting: true)) == "abc|")
        #expect(edited("abc", .move(.start), .move(.right, selecting: true)) == "[a]|bc")
        #expect(edited("abc", .selectAll, .move(.left)) == "|abc")
        #expect(edited("abc", .selectAll, .move(.right)) == "abc|")
        #expect(edited("abc", .move(.start, selecting: true), .move(.right)) == "abc|")
        #expect(edited("", .selectAll) == "|")
    }

    @Test("what is selected is replaced, deleted or killed as a whole")
    func selection() {
        #expect(edited("abc", .selectAll, .insert("x")) == "x|")
        #expect(edited("abc", .selectAll, .delete(.left)) == "|")
        #expect(edited("abc", .move(.wordLeft, selecting: true), .kill(.right), .yank, .yank) == "abcabc|")
        var input: TextInput = "abc"
        input.apply(.move(.left, selecting: true))
        #expect(input.selectedText == "c" && input.selection == 2..<3)
    }

    @Test("what was killed last can be put back, and killing nothing does not lose it")
    func killing() {
        #expect(edited("one two", .kill(.wordLeft), .kill(.right), .move(.start), .yank) == "two|one ")
        #expect(edited("one", .yank) == "one|")
        #expect(edited("one", .delete(.wordLeft), .yank) == "|")
    }

    // MARK: - Taking back

    @Test("what is typed in one go is taken back at once")
    func undo() {
        #expect(edited("", .insert("a"), .insert("b"), .undo) == "|")
        #expect(edited("", .insert("a"), .insert(" "), .insert("b"), .undo) == "a |")
        #expect(edited("", .insert("a"), .move(.left), .insert("b"), .undo) == "|a")
        #expect(edited("abc", .delete(.left), .delete(.left), .undo) == "abc|")
        #expect(edited("abc", .delete(.left), .insert("x"), .undo) == "ab|")
        #expect(edited("abc", .selectAll, .insert("x"), .insert("y"), .undo, .undo) == "abc|")
        #expect(edited("abc", .undo) == "abc|")
        #expect(edited("", .insert("a"), .selectAll, .insert("x"), .undo) == "a|")
    }

    @Test("what was taken back can be repeated, until something else is done")
    func redo() {
        #expect(edited("", .insert("a"), .undo, .redo) == "a|")
        #expect(edited("", .insert("a"), .undo, .insert("b"), .redo) == "b|")
        #expect(edited("", .insert("a"), .redo) == "a|")
        #expect(edited("", .insert("a"), .insert(" "), .undo, .undo, .redo, .redo, .undo) == "a|")
    }

    @Test("a hundred changes can be taken back")
    func limit() {
        var input = TextInput()
        for _ in 0..<150 { input.apply(.insert("word ")) }
        for _ in 0..<200 { input.apply(.undo) }
        #expect(input.text.count == 50 * 5)
    }

    // MARK: - History and completion

    @Test("submitting empties the text, and the history shows it again")
    func history() {
        var input: TextInput = "one"
        #expect(input.submit() == "one" && input.isEmpty && input.cursor == 0)
        input.apply(.insert("two"))
        #expect(input.submit() == "two")
        input.apply(.insert("thr"))
        #expect(edited(input, .earlier) == "two|")
        #expect(edited(input, .earlier, .earlier, .earlier) == "one|")
        #expect(edited(input, .earlier, .earlier, .later) == "two|")
        #expect(edited(input, .earlier, .later) == "thr|")
        #expect(edited(input, .earlier, .earlier, .later, .later) == "thr|")
        #expect(edited(input, .later) == "thr|")
        #expect(edited(input, .earlier, .later, .later, .earlier) == "two|")
    }

    @Test("the history has no empty entries, and the same one only once in a row")
    func historyEntries() {
        var input = TextInput(history: ["a"])
        _ = input.submit()
        input.apply(.insert("a"))
        _ = input.submit()
        #expect(input.history.entries == ["a"])
        input.apply(.insert("b"))
        _ = input.submit()
        #expect(input.history.entries == ["a", "b"])
    }

    @Test("what was killed survives submitting, what was changed does not")
    func submitting() {
        var input: TextInput = "one"
        input.apply(.kill(.wordLeft))
        _ = input.submit()
        #expect(edited(input, .undo, .yank) == "one|")
    }

    @Test("a text is completed to the first that begins with it, only at its end")
    func completion() {
        let names = ["apple", "apricot", "banana"]
        #expect(edited("ap", .complete(names)) == "apple|")
        #expect(edited("apr", .complete(names)) == "apricot|")
        #expect(edited("apple", .complete(names)) == "apple|")
        #expect(edited("", .complete(names)) == "|")
        #expect(edited("ap", .move(.left), .complete(names)) == "a|p")
        #expect(edited("ap", .complete(names), .undo) == "ap|")
        // A selection that has become empty is none.
        #expect(edited("ap", .move(.left, selecting: true), .move(.right, selecting: true), .complete(names)) == "apple|")
        #expect(edited("x", .complete([])) == "x|")
    }

    @Test("a text that is replaced can be had back")
    func replace() {
        var input: TextInput = "one"
        input.replace(with: "two")
        #expect(shown(input) == "two|")
        #expect(edited(input, .undo) == "one|")
    }

    @Test("whatever is done, the cursor and the selection stand where characters begin")
    func invariants() {
        let pieces = ["a", "e", "\u{301}", "日", "👨", "\u{200D}", "👩", "\n", " ", "🇪", "🇺", "\r\n", "x_1", "ก็"]
        var random = SeededNumbers(7)
        for _ in 0..<200 {
            var input = TextInput()
            for _ in 0..<60 {
                input.apply(edit(pieces, &random))
                let places = Set(input.text.indices.map { input.text.utf8.distance(from: input.text.startIndex, to: $0) })
                    .union([input.text.utf8.count])
                #expect(places.contains(input.cursor), "\(input)")
                #expect(places.contains(input.selection.lowerBound) && places.contains(input.selection.upperBound))
            }
        }
    }

    private func edit(_ pieces: [String], _ random: inout SeededNumbers) -> TextEdit {
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
        case 5: return [.undo, .redo, .selectAll, .earlier, .later].randomElement(using: &random) ?? .undo
        default: return .insert(pieces.randomElement(using: &random) ?? "a")
        }
    }
}

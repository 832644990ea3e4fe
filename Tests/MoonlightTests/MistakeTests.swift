import Moonlight
import MoonlightTestSupport
import Testing

// An exit test with a parameter needs the testing library of Swift 6.3.
#if compiler(>=6.3)
    private struct Kid: Identifiable, Equatable { var id: Int }

    @Suite("Programming mistakes in Moonlight trap with an explanation")
    struct MoonlightMistakeTests {
        fileprivate static let mistakes: [Mistake] = [
            Mistake("an element under another's id", "append the element under its own") {
                var list: IdentifiedList<Int, Kid> = [Kid(id: 2)]
                list[id: 2] = Kid(id: 3)
            },
            Mistake("a literal with an id twice", "give each element of the literal an id of its own") {
                let list: IdentifiedList<Int, Kid> = [Kid(id: 2), Kid(id: 2)]
                _ = list
            },
            Mistake("an insertion behind the end", "position 2 is not in 0...1") {
                var list: IdentifiedList<Int, Kid> = [Kid(id: 1)]
                list.insert(Kid(id: 2), at: 2)
            },
            Mistake("a position that is not there", "position 1 is not in 0..<1") {
                let list: IdentifiedList<Int, Kid> = [Kid(id: 1)]
                _ = list[1]
            },
            Mistake("an insertion before the beginning", "position -1 is not in 0...1") {
                var list: IdentifiedList<Int, Kid> = [Kid(id: 1)]
                list.insert(Kid(id: 2), at: -1)
            },
            Mistake("a position before the first", "position -1 is not in 0..<1") {
                let list: IdentifiedList<Int, Kid> = [Kid(id: 1)]
                _ = list[-1]
            },
            Mistake("a queue of less than none", "the limit must be zero or more") { _ = JobPolicy.queue(limit: -1) },
            Mistake("a merge of none", "the limit must be one or more") { _ = JobPolicy.merge(limit: 0) },
            Mistake("a journal of no records", "JournalWriter(limit: 0): limit must be at least 1") {
                _ = JournalWriter<Int, Int, Int>(limit: 0) { _ in }
            },
            Mistake("no effects at all", "effectLimit must be at least 1, but is 0; use nil for no limit") {
                _ = LoopOptions<Int, Int, Int>(effectLimit: 0)
            },
            Mistake("no steps at all", "stepLimit must be at least 1, but is 0; use nil for no limit") {
                _ = LoopOptions<Int, Int, Int>(stepLimit: 0)
            },
            Mistake("no effects, later", "effectLimit must be at least 1, but is 0; use nil for no limit") {
                var options = LoopOptions<Int, Int, Int>()
                options.effectLimit = 0
            },
            Mistake("no steps, later", "stepLimit must be at least 1, but is 0; use nil for no limit") {
                var options = LoopOptions<Int, Int, Int>()
                options.stepLimit = 0
            },
        ]

        @Test(
            "An invalid id, position or option traps with an explanation", arguments: mistakes.indices
        )
        func mistake(index: Int) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                MoonlightMistakeTests.mistakes[index].make()
            }
            let mistake = Self.mistakes[index]
            expect(mistake.isExplained(in: result?.standardErrorContent), "\(mistake.name)")
        }
    }
#endif

import MoonlightExploration
import Testing

/// A kind of fault, for the name of a test.
struct AnyFault: Sendable, CustomTestStringConvertible {
    let type: any Fault.Type
    var testDescription: String { "\(type)" }
}

@Suite("Exploration: seeded faults")
struct FaultTests {
    private static let all = Faults.all.map { AnyFault(type: $0) }

    @Test("there are fifty, and no two have the same name")
    func count() {
        #expect(Faults.all.count >= 50)
        #expect(Set(Faults.all.map { "\($0)" }).count == Faults.all.count)
    }

    @Test("mended, a program has everything tried, and nothing found", arguments: all)
    func mended(_ fault: AnyFault) throws {
        func explore<Case: Fault>(_: Case.Type) throws {
            #expect(try Case.exploration(isMended: true).run().extent == .exhaustive)
        }
        try explore(fault.type)
    }

    @Test("a fault is found by its shortest story, which can be played again", arguments: all)
    func found(_ fault: AnyFault) throws {
        func explore<Case: Fault>(_: Case.Type) throws {
            let exploration = Case.exploration(isMended: false)
            let failure = try #require(throws: ExplorationFailure.self) { try exploration.run() }
            #expect(failure.message.hasPrefix("\"\(Case.property)\" "))
            #expect(failure.name == Case.story)
            #expect(failure.plan.isEmpty == !Case.hasPlan)
            guard violation(of: failure.name, exploration)?.message == failure.message else {
                // Of a single story a replay cannot say what is possible elsewhere.
                #expect(failure.message.hasSuffix("cannot be reached any more, whatever happens"), "\(failure)")
                return
            }
            let steps = failure.name.split(separator: " ")
            for shorter in subsets(of: steps) {
                let name = shorter.joined(separator: " ")
                #expect(
                    violation(of: name, exploration)?.message.hasPrefix("\"\(Case.property)\" ") != true, "\(name) is shorter")
            }
        }
        try explore(fault.type)
    }

    /// What a story violates; nil if it cannot be played, or violates nothing.
    private func violation<S, E, F, W>(of name: String, _ exploration: Exploration<S, E, F, W>) -> ExplorationFailure? {
        do {
            try exploration.replay(name)
            return nil
        } catch { return error }
    }

    /// All lists that lack some of the elements; of a long list, those that lack one.
    private func subsets<Element>(of list: [Element]) -> [[Element]] {
        if list.count > 8 { return list.indices.map { index in Array(list[..<index] + list[(index + 1)...]) } }
        return (0..<(1 << list.count) - 1).map { mask in list.indices.filter { mask & 1 << $0 != 0 }.map { list[$0] } }
    }
}

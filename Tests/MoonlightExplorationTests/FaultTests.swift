import MoonlightExploration
import MoonlightTestSupport
import Testing

/// A fault, with a name for the test.
struct AnyFault: Sendable, CustomTestStringConvertible {
    let type: any Fault.Type
    var testDescription: String { "\(type)" }
}

@Suite("Exploration: programs with a known fault")
struct FaultTests {
    private static let sampled = Budget.sample(Faults.all.map { AnyFault(type: $0) }, least: 8)

    @Test("There are at least fifty faults, and no two have the same name")
    func count() {
        expect(Faults.all.count >= 50)
        expectEqual(Set(Faults.all.map { "\($0)" }).count, Faults.all.count)
    }

    @Test("An exploration of the corrected program is exhaustive and finds nothing", arguments: sampled)
    func mended(_ fault: AnyFault) throws {
        func explore<Case: Fault>(_: Case.Type) throws {
            try expectEqual(Case.exploration(isMended: true).run().extent, .exhaustive)
        }
        try explore(fault.type)
    }

    @Test("A fault is found with its shortest counterexample, which can be replayed", arguments: sampled)
    func found(_ fault: AnyFault) throws {
        func explore<Case: Fault>(_: Case.Type) throws {
            let exploration = Case.exploration(isMended: false)
            let failure = try #require(throws: ExplorationFailure.self) { try exploration.run() }
            expect(failure.message.hasPrefix("\"\(Case.property)\" "))
            expectEqual(failure.name, Case.trace)
            expectEqual(failure.plan.isEmpty, !Case.hasPlan)
            guard violation(of: failure.name, exploration)?.message == failure.message else {
                // A replay of a single trace cannot decide `canAlways`.
                expect(failure.message.hasSuffix("cannot be reached any more"), "\(failure)")
                return
            }
            let steps = failure.name.split(separator: " ")
            for shorter in subsets(of: steps) {
                let name = shorter.joined(separator: " ")
                expect(
                    violation(of: name, exploration)?.message.hasPrefix("\"\(Case.property)\" ") != true, "\(name) is shorter")
            }
        }
        try explore(fault.type)
    }

    /// Returns the violation of a trace; nil if it cannot be played, or violates nothing.
    private func violation<S, E, F, W>(of name: String, _ exploration: Exploration<S, E, F, W>) -> ExplorationFailure? {
        do {
            try exploration.replay(name)
            return nil
        } catch { return error }
    }

    /// Returns the lists without some of the elements: all of them, or a sample in the quick tier; for a long list, those
    /// without one.
    private func subsets<Element>(of list: [Element]) -> [[Element]] {
        if list.count > 8 { return list.indices.map { index in Array(list[..<index] + list[(index + 1)...]) } }
        return Budget.sample(Array(0..<(1 << list.count) - 1), least: 24).map { mask in
            list.indices.filter { mask & 1 << $0 != 0 }.map { list[$0] }
        }
    }
}

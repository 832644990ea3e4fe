import MoonlightTestSupport
import Streams
import Testing

/// Random graphs of operators, with random moves from outside, beside a model of them. `MOONLIGHT_SEED` and
/// `MOONLIGHT_ROUNDS` say which and how many.
@Suite("Generated programs", .timeLimit(.minutes(20)))
struct GeneratedTests {
    @Test("a dealt program sends what its model sends, when the model does, and keeps nothing")
    func programs() {
        let seed = UInt64(environmentNumber("MOONLIGHT_SEED") ?? 1)
        for round in 0..<UInt64(environmentNumber("MOONLIGHT_ROUNDS") ?? 4_000) {
            var dice = Dice(seed: seed &+ round)
            let run = Run(&dice)
            guard run.onStreams() != run.onModel() else { continue }
            let smallest = run.shrunk { $0.onStreams() != $0.onModel() }
            Issue.record("MOONLIGHT_SEED=\(seed &+ round)\n\(smallest.report())")
            return
        }
    }

    @Test("the programs that are dealt use every operator, and get far")
    func coverage() {
        var (names, values, ends) = (Set<String>(), 0, 0)
        for seed in 0..<4_000 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let run = Run(&dice)
            Self.collect(run.program, into: &names)
            let seen = run.onModel().compactMap { $0 }.joined()
            values += seen.count { !$0.isEnd }
            ends += seen.count(where: \.isEnd)
        }
        #expect(names.count == 20 + Program.Binary.allCases.count)
        #expect(values > 2_000)
        #expect(ends > 1_000)
        #expect(ends < 3_800)
    }

    private static func collect(_ program: Program, into names: inout Set<String>) {
        if case .one(let unary, _) = program { names.insert(String("\(unary)".prefix { $0 != "(" })) }
        if case .two(let binary, _, _) = program { names.insert("\(binary)") }
        for part in program.parts { collect(part, into: &names) }
    }

    @Test("a planted defect is found, and shrinks to the least program that shows it")
    func planted() throws {
        let fails = { (run: Run) in run.onStreams(plant: true) != run.onModel() }
        var found: [Run] = []
        for seed in 0..<4_000 as Range<UInt64> where found.count < 20 {
            var dice = Dice(seed: seed)
            let run = Run(&dice)
            if fails(run) { found.append(run.shrunk(while: fails)) }
        }
        #expect(found.count == 20)
        let least = Run(program: .one(.dropFirst(0), .subject(0)), moves: [.send(0, to: 0)], demand: nil)
        #expect(found.contains(least))
        #expect(found.allSatisfy { $0.program.size <= 2 && $0.moves.count <= 1 })
        // What is printed compiles: it stands below, word for word.
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let words = own.filter { !$0.isWhitespace }
        #expect(words.contains("funcleast(){\(least.code.filter { !$0.isWhitespace })}"))
        let asked = Run(program: .two(.zip, .list([1]), .subject(1)), moves: [.request(1), .fail(1)], demand: 0)
        #expect(words.contains("funcasked(){\(asked.code.filter { !$0.isWhitespace })}"))
    }

    private func least() {
        let subjects = [PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>()]
        let program = subjects[0].dropFirst(0).eraseToAnyPublisher()
        let subscription = program.sink {
            print($0)
        } receiveValue: {
            print($0)
        }
        subjects[0].send(0)
        subscription.cancel()
    }

    private func asked() {
        let subjects = [PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>()]
        let program = [1].publisher.setFailureType(to: Oops.self).zip(subjects[1]) { $0 * 10 + $1 }.eraseToAnyPublisher()
        var subscription: (any Subscription)?
        program.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(
            AnySubscriber(
                receiveSubscription: {
                    subscription = $0
                    $0.request(.max(0))
                },
                receiveValue: {
                    print($0)
                    return .none
                }, receiveCompletion: { print($0) }))
        subscription?.request(.max(1))
        subjects[1].send(completion: .failure(Oops.first))
    }
}

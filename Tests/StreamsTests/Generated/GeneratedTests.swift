import MoonlightTestSupport
import Streams
import Testing

/// Random graphs of operators, with random actions, compared with a model.
@Suite("Random graphs of operators, compared with a model")
struct GeneratedTests {
    @Test("A random graph sends the values of its model at the same steps, and releases everything")
    func programs() {
        for seed in Budget.seeds(4_000, least: 1_000) {
            var dice = Dice(seed: seed)
            let run = Run(&dice)
            guard run.onStreams() != run.onModel() else { continue }
            let smallest = run.shrunk { $0.onStreams() != $0.onModel() }
            Issue.record("MOONLIGHT_SEED=\(seed)\n\(smallest.report())")
            return
        }
    }

    @Test("Random graphs use every operator, and many of them send values and complete")
    func coverage() {
        // The same seeds in each run: this tests the generator.
        let count = Budget.rounds(4_000, least: 1_000)
        var (names, values, ends) = (Set<String>(), 0, 0)
        for seed in 0..<count {
            var dice = Dice(seed: seed)
            let run = Run(&dice)
            Self.collect(run.program, into: &names)
            let seen = run.onModel().compactMap { $0 }.joined()
            values += seen.count { !$0.isEnd }
            ends += seen.count(where: \.isEnd)
        }
        expectEqual(names.count, 20 + Program.Binary.allCases.count)
        expect(values > count / 2)
        expect(ends > count / 4)
        expect(ends < count - count / 20)
    }

    private static func collect(_ program: Program, into names: inout Set<String>) {
        if case .one(let unary, _) = program { names.insert(String("\(unary)".prefix { $0 != "(" })) }
        if case .two(let binary, _, _) = program { names.insert("\(binary)") }
        for part in program.parts { collect(part, into: &names) }
    }

    @Test("A planted defect is found, and is shrunk to the smallest graph that shows it")
    func planted() throws {
        let fails = { (run: Run) in run.onStreams(plant: true) != run.onModel() }
        let least = Run(program: .one(.dropFirst(0), .subject(0)), moves: [.send(0, to: 0)], demand: nil)
        let enough = Budget.size(20, quick: 4)
        var found: [Run] = []
        // The same seeds in each run, as they determine when the smallest failing run is found.
        for seed in 0..<4_000 where found.count < enough || (found.count < 20 && !found.contains(least)) {
            var dice = Dice(seed: seed)
            let run = Run(&dice)
            if fails(run) { found.append(run.shrunk(while: fails)) }
        }
        expect(found.count >= enough)
        expect(found.contains(least))
        expect(found.allSatisfy { $0.program.size <= 2 && $0.moves.count <= 1 })
        // The printed code compiles: it is below, word for word.
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let words = own.filter { !$0.isWhitespace }
        expect(words.contains("funcleast(){\(least.code.filter { !$0.isWhitespace })}"))
        let asked = Run(program: .two(.zip, .list([1]), .subject(1)), moves: [.request(1), .fail(1)], demand: 0)
        expect(words.contains("funcasked(){\(asked.code.filter { !$0.isWhitespace })}"))
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

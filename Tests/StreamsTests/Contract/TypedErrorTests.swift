import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 6: typed errors")
struct TypedErrorTests {
    @Test("An operator that cannot fail itself keeps the failure type")
    func keepsType() {
        func failure<P: Publisher>(of _: P) -> P.Failure.Type { P.Failure.self }
        let failing = Fail<Int, Oops>(error: .first)
        expect(failure(of: failing.map { $0 }) == Oops.self)
        expect(failure(of: failing.scan(0, +).removeDuplicates().compactMap { $0 }) == Oops.self)
        expect(failure(of: failing.flatMap { _ in failing }) == Oops.self)
        expect(failure(of: failing.append(1).prepend(2).prefix(3).first()) == Oops.self)
        expect(failure(of: failing.merge(with: Empty())) == Oops.self)
        expect(failure(of: failing.receive(on: ImmediateScheduler.shared).share()) == Oops.self)
        expect(failure(of: [1].publisher.map { $0 }) == Never.self)
    }

    @Test("Each operator passes on the error of its upstream", arguments: OperatorCase.all)
    func arrives(_ operation: OperatorCase) {
        let recorder = Recorder<Int, Oops>()
        operation.apply(Fail(error: .second).eraseToAnyPublisher(), Token()).subscribe(recorder)
        expectEqual(recorder.completions, [operation.finishesEarly([]) ? .finished : .failure(.second)])
    }

    @Test("An inner publisher's error ends `flatMap` and cancels its upstream")
    func innerFailure() {
        let outer = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { value in Fail<Int, Oops>(error: .second).prepend(value + 6) }.subscribe(recorder)
        outer.send(1)
        outer.send(3)
        expectEqual(recorder.values, [7])
        expectEqual(recorder.completions, [.failure(.second)])
        expectEqual(outer.cancellations, 1)
    }

    @Test("`append` does not subscribe to the second publisher after a failure")
    func appendAfterFailure() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        Fail(error: .first).append(probe).subscribe(recorder)
        expectEqual(probe.subscriptions, 0)
        expectEqual(recorder.failure, .first)
    }

    @Test("A body of `run` that throws fails with its own error type")
    func runThrows() async {
        let failing = AnyPublisher<Int, Oops>.run { send async throws(Oops) in
            send(1)
            throw .second
        }
        var seen: [Int] = []
        do throws(Oops) {
            var iterator = failing.values.makeAsyncIterator()
            while let value = try await iterator.next() { seen.append(value) }
            Issue.record("it did not fail")
        } catch {
            expectEqual(error, .second)
        }
        expectEqual(seen, [1])
    }

    @Test("`values` of a publisher that fails throws the publisher's error type")
    func valuesThrow() async {
        let subject = CurrentValueSubject<Int, Oops>(1)
        var iterator = subject.values.makeAsyncIterator()
        do throws(Oops) {
            try await expectEqual(iterator.next(), 1)
            subject.send(completion: .failure(.first))
            _ = try await iterator.next()
            Issue.record("it did not fail")
        } catch {
            expectEqual(error, .first)
        }
    }
}

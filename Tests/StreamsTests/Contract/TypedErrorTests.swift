import Streams
import Testing

@Suite("Rule 6: errors are typed")
struct TypedErrorTests {
    @Test("an operator that cannot fail keeps the type of failure")
    func keepsType() {
        func failure<P: Publisher>(of _: P) -> P.Failure.Type { P.Failure.self }
        let failing = Fail<Int, Oops>(error: .first)
        #expect(failure(of: failing.map { $0 }) == Oops.self)
        #expect(failure(of: failing.scan(0, +).removeDuplicates().compactMap { $0 }) == Oops.self)
        #expect(failure(of: failing.flatMap { _ in failing }) == Oops.self)
        #expect(failure(of: failing.append(1).prepend(2).prefix(3).first()) == Oops.self)
        #expect(failure(of: failing.merge(with: Empty())) == Oops.self)
        #expect(failure(of: failing.receive(on: ImmediateScheduler.shared).share()) == Oops.self)
        #expect(failure(of: [1].publisher.map { $0 }) == Never.self)
    }

    @Test("the error itself arrives", arguments: OperatorCase.all)
    func arrives(_ operation: OperatorCase) {
        let recorder = Recorder<Int, Oops>()
        operation.apply(Fail(error: .second).eraseToAnyPublisher(), Token()).subscribe(recorder)
        #expect(recorder.completions == [operation.finishesEarly([]) ? .finished : .failure(.second)])
    }

    @Test("an inner publisher's error ends a flatMap and cancels its upstream")
    func innerFailure() {
        let outer = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { value in Fail<Int, Oops>(error: .second).prepend(value + 6) }.subscribe(recorder)
        outer.send(1)
        outer.send(3)
        #expect(recorder.values == [7])
        #expect(recorder.completions == [.failure(.second)])
        #expect(outer.cancellations == 1)
    }

    @Test("after a failure, what would have been appended is not subscribed to")
    func appendAfterFailure() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        Fail(error: .first).append(probe).subscribe(recorder)
        #expect(probe.subscriptions == 0)
        #expect(recorder.failure == .first)
    }

    @Test("a body of run that throws fails with its own type of error")
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
            #expect(error == .second)
        }
        #expect(seen == [1])
    }

    @Test("a publisher of throwing values throws its own type of error")
    func valuesThrow() async {
        let subject = CurrentValueSubject<Int, Oops>(1)
        var iterator = subject.values.makeAsyncIterator()
        do throws(Oops) {
            #expect(try await iterator.next() == 1)
            subject.send(completion: .failure(.first))
            _ = try await iterator.next()
            Issue.record("it did not fail")
        } catch {
            #expect(error == .first)
        }
    }
}

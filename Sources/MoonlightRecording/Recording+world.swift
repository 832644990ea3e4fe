import Moonlight
import MoonlightTesting
import Streams

// The functions of an environment, wrapped so that a recording has their calls and answers. They behave as what they wrap.
extension Recording {
    // MARK: Asynchronous functions

    /// Returns an asynchronous function whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests. Its arguments and its answer are to be `Codable`, for the recording
    ///     to be played.
    ///   - live: The function.
    public func async<Input: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<Input, Output, Failure>, _ live: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) -> @Sendable (Input) async throws(Failure) -> Output {
        { (input: Input) async throws(Failure) -> Output in
            let call = self.begin(stub(input))
            do throws(Failure) {
                let output = try await live(input)
                self.end(call, output)
                return output
            } catch {
                self.fail(call, error)
                throw error
            }
        }
    }

    /// Returns an asynchronous function without arguments whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<Output: Sendable, Failure>(
        _ stub: Stub<Void, Output, Failure>, _ live: @escaping @Sendable () async throws(Failure) -> Output
    ) -> @Sendable () async throws(Failure) -> Output {
        { () async throws(Failure) -> Output in
            let call = self.begin(stub())
            do throws(Failure) {
                let output = try await live()
                self.end(call, output)
                return output
            } catch {
                self.fail(call, error)
                throw error
            }
        }
    }

    /// Returns an asynchronous function of two arguments whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<A: Sendable, B: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<(A, B), Output, Failure>, _ live: @escaping @Sendable (A, B) async throws(Failure) -> Output
    ) -> @Sendable (A, B) async throws(Failure) -> Output {
        { (a: A, b: B) async throws(Failure) -> Output in
            let call = self.begin(stub(a, b))
            do throws(Failure) {
                let output = try await live(a, b)
                self.end(call, output)
                return output
            } catch {
                self.fail(call, error)
                throw error
            }
        }
    }

    /// Returns an asynchronous function of three arguments whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<A: Sendable, B: Sendable, C: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<(A, B, C), Output, Failure>, _ live: @escaping @Sendable (A, B, C) async throws(Failure) -> Output
    ) -> @Sendable (A, B, C) async throws(Failure) -> Output {
        { (a: A, b: B, c: C) async throws(Failure) -> Output in
            let call = self.begin(stub(a, b, c))
            do throws(Failure) {
                let output = try await live(a, b, c)
                self.end(call, output)
                return output
            } catch {
                self.fail(call, error)
                throw error
            }
        }
    }

    /// Returns an asynchronous function that cannot fail, whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<Input: Sendable, Output: Sendable>(
        _ stub: Stub<Input, Output, Never>, _ live: @escaping @Sendable (Input) async -> Output
    ) -> @Sendable (Input) async -> Output {
        { (input: Input) async -> Output in
            let call = self.begin(stub(input))
            let output = await live(input)
            self.end(call, output)
            return output
        }
    }

    /// Returns an asynchronous function without arguments that cannot fail, whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<Output: Sendable>(
        _ stub: Stub<Void, Output, Never>, _ live: @escaping @Sendable () async -> Output
    ) -> @Sendable () async -> Output {
        { () async -> Output in
            let call = self.begin(stub())
            let output = await live()
            self.end(call, output)
            return output
        }
    }

    /// Returns an asynchronous function of two arguments that cannot fail, whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<A: Sendable, B: Sendable, Output: Sendable>(
        _ stub: Stub<(A, B), Output, Never>, _ live: @escaping @Sendable (A, B) async -> Output
    ) -> @Sendable (A, B) async -> Output {
        { (a: A, b: B) async -> Output in
            let call = self.begin(stub(a, b))
            let output = await live(a, b)
            self.end(call, output)
            return output
        }
    }

    /// Returns an asynchronous function of three arguments that cannot fail, whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func async<A: Sendable, B: Sendable, C: Sendable, Output: Sendable>(
        _ stub: Stub<(A, B, C), Output, Never>, _ live: @escaping @Sendable (A, B, C) async -> Output
    ) -> @Sendable (A, B, C) async -> Output {
        { (a: A, b: B, c: C) async -> Output in
            let call = self.begin(stub(a, b, c))
            let output = await live(a, b, c)
            self.end(call, output)
            return output
        }
    }

    private func begin<Input: Sendable, Output, Failure>(_ call: StubCall<Input, Output, Failure>) -> Int {
        let id = newID()
        note(.call(RecordedCall(call)), id: id)
        return id
    }

    private func end(_ call: Int, _ output: some Sendable) {
        note(.answer(call: call, RecordedAnswer(.value, output), isLate: Task.isCancelled), id: call)
    }

    private func fail<Failure: Error>(_ call: Int, _ error: Failure) {
        let answer =
            Task.isCancelled && error is CancellationError
            ? RecordedAnswer(.cancelled) : RecordedAnswer(.failure, error, isTypeKnown: Failure.self != (any Error).self)
        note(.answer(call: call, answer, isLate: Task.isCancelled), id: call)
    }

    // MARK: Plain functions

    /// Returns a function whose calls and results are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func function<Input: Sendable, Output: Sendable>(
        _ stub: Stub<Input, Output, Never>, _ live: @escaping @Sendable (Input) -> Output
    ) -> @Sendable (Input) -> Output {
        { [self] input in
            let output = live(input)
            note(.result(RecordedCall(stub(input)), RecordedAnswer(.value, output)), id: 0)
            return output
        }
    }

    /// Returns a function without arguments whose calls and results are recorded.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func function<Output: Sendable>(
        _ stub: Stub<Void, Output, Never>, _ live: @escaping @Sendable () -> Output
    ) -> @Sendable () -> Output {
        { [self] in
            let output = live()
            note(.result(RecordedCall(stub()), RecordedAnswer(.value, output)), id: 0)
            return output
        }
    }

    // MARK: Streams

    /// Returns a function that returns a stream. Each subscription is recorded as a call, and each value and the end as answers.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func publisher<Input: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<Input, Output, Failure>, _ live: @escaping @Sendable (Input) -> AnyPublisher<Output, Failure>
    ) -> @Sendable (Input) -> AnyPublisher<Output, Failure> {
        { [self] input in following(stub(input)) { live(input) } }
    }

    /// Returns a function without arguments that returns a stream. Each subscription is recorded as a call, and each value and the
    /// end as answers.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func publisher<Output: Sendable, Failure>(
        _ stub: Stub<Void, Output, Failure>, _ live: @escaping @Sendable () -> AnyPublisher<Output, Failure>
    ) -> @Sendable () -> AnyPublisher<Output, Failure> {
        { [self] in following(stub()) { live() } }
    }

    /// Returns a function of two arguments that returns a stream. Each subscription is recorded as a call, and each value and the
    /// end as answers.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func publisher<A: Sendable, B: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<(A, B), Output, Failure>, _ live: @escaping @Sendable (A, B) -> AnyPublisher<Output, Failure>
    ) -> @Sendable (A, B) -> AnyPublisher<Output, Failure> {
        { [self] a, b in following(stub(a, b)) { live(a, b) } }
    }

    /// Returns a function of three arguments that returns a stream. Each subscription is recorded as a call, and each value and the
    /// end as answers.
    ///
    /// - Parameters:
    ///   - stub: The stub that stands for the function in tests.
    ///   - live: The function.
    public func publisher<A: Sendable, B: Sendable, C: Sendable, Output: Sendable, Failure>(
        _ stub: Stub<(A, B, C), Output, Failure>, _ live: @escaping @Sendable (A, B, C) -> AnyPublisher<Output, Failure>
    ) -> @Sendable (A, B, C) -> AnyPublisher<Output, Failure> {
        { [self] a, b, c in following(stub(a, b, c)) { live(a, b, c) } }
    }

    private func following<Input: Sendable, Output: Sendable, Failure>(
        _ call: StubCall<Input, Output, Failure>, _ live: @escaping @Sendable () -> AnyPublisher<Output, Failure>
    ) -> AnyPublisher<Output, Failure> {
        let recorded = RecordedCall(call)
        let isTypeKnown = Failure.self != (any Error).self
        return Deferred { [self] in
            let id = newID()
            note(.call(recorded), id: id)
            let answers = live().handleEvents(
                receiveOutput: { [self] in note(.answer(call: id, RecordedAnswer(.sent, $0), isLate: false), id: id) },
                receiveCompletion: { [self] completion in
                    switch completion {
                    case .finished: note(.answer(call: id, RecordedAnswer(.finished), isLate: false), id: id)
                    case .failure(let error):
                        note(.answer(call: id, RecordedAnswer(.failure, error, isTypeKnown: isTypeKnown), isLate: false), id: id)
                    }
                },
                receiveCancel: { [self] in note(.answer(call: id, RecordedAnswer(.cancelled), isLate: false), id: id) })
            return AnswerPublisher(upstream: answers, cause: causeHere)
        }.eraseToAnyPublisher()
    }

    // MARK: Time

    /// Returns a scheduler whose timers are recorded: when they are set, and when they are due.
    ///
    /// - Parameter base: The scheduler that does the work.
    public func scheduler<Base: Scheduler & Sendable>(_ base: Base) -> RecordedScheduler<Base>
    where Base.SchedulerTimeType == TimePoint {
        RecordedScheduler(base, cause: { [self] in causeHere }, set: { [self] in timer($0) })
    }

    /// Returns a clock whose sleeps are recorded: when they begin, and when they end.
    ///
    /// - Parameter base: The clock that does the work.
    public func clock<Base: Clock>(_ base: Base) -> RecordedClock<Base> where Base.Duration == Duration {
        RecordedClock(base) { [self] in timer($0) }
    }

    /// Notes that a timer is set.
    private func timer(_ span: Duration) -> RecordedTimer {
        let id = newID()
        note(.timer(span), id: id)
        return RecordedTimer(cause: causeHere) { [self] what in note(what, id: id) }
    }
}

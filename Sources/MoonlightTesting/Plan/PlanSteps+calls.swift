import Moonlight

extension PlanSteps {
    /// Checks that a call was made. Each call satisfies one expectation; of several equal calls, the oldest is taken.
    ///
    /// - Parameters:
    ///   - call: The call, such as `post(1)`.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func expect<Input, Output, Failure>(
        _ call: StubCall<Input, Output, Failure>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("It has called \(call)", place) { world in
            guard let record = world.log.records(of: call).first(where: { !$0.isAsserted }) else {
                throw PlanFault(world.absence(of: call, doing: "was expected"))
            }
            record.assert()
        }
    }

    /// Checks that all calls of a function that were made so far have been expected or answered.
    ///
    /// - Parameters:
    ///   - stub: The function.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func expectNone<Input, Output, Failure>(
        of stub: Stub<Input, Output, Failure>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("It has not called \(stub.name)", place) { world in
            let calls = world.unassertedCalls.filter { $0.name == stub.name }
            if !calls.isEmpty { throw PlanFault("expected no call of \(stub.name), got \(world.list(calls))") }
        }
    }

    /// Checks that all calls that were made so far have been expected or answered.
    public func expectNoCalls(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("It has made no calls", place) { world in
            let calls = world.unassertedCalls
            if !calls.isEmpty { throw PlanFault("expected no calls, got \(world.list(calls))") }
        }
    }

    /// Answers a call with a value: a stream sends the value and finishes, an asynchronous function returns it.
    ///
    /// Of several equal pending calls, it answers the oldest. A call that is answered need not also be expected.
    ///
    /// - Parameters:
    ///   - call: The call, such as `post(1)`.
    ///   - output: The value.
    ///   - ifItWaits: True to do nothing, instead of failing, if no such call is pending.
    ///   - number: The number of the call among those with these arguments, counted from 1 in the order of the calls; nil for
    ///     the oldest pending one.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func resolve<Input, Output, Failure>(
        _ call: StubCall<Input, Output, Failure>, with output: Output, ifItWaits: Bool = false, number: Int? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return answering("\(call) answers \(ValueText.shown(ValueText.describe(output)))", call, place, ifItWaits, number) {
            $0.answer()
            $0.send(output)
            $0.finish(nil)
        }
    }

    /// Answers a call that returns `Void`: a stream sends `()` and finishes, an asynchronous function returns.
    ///
    /// - Parameters:
    ///   - call: The call, such as `save(1)`.
    ///   - ifItWaits: True to do nothing, instead of failing, if no such call is pending.
    ///   - number: The number of the call among those with these arguments, counted from 1 in the order of the calls; nil for
    ///     the oldest pending one.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func resolve<Input, Failure>(
        _ call: StubCall<Input, Void, Failure>, ifItWaits: Bool = false, number: Int? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return answering("\(call) is done", call, place, ifItWaits, number) {
            $0.answer()
            $0.send(())
            $0.finish(nil)
        }
    }

    /// Answers a call with an error: a stream fails with the error, an asynchronous function throws it.
    ///
    /// - Parameters:
    ///   - call: The call, such as `post(1)`.
    ///   - error: The error.
    ///   - ifItWaits: True to do nothing, instead of failing, if no such call is pending.
    ///   - number: The number of the call among those with these arguments, counted from 1 in the order of the calls; nil for
    ///     the oldest pending one.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func fail<Input, Output, Failure>(
        _ call: StubCall<Input, Output, Failure>, with error: Failure, ifItWaits: Bool = false, number: Int? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return answering("\(call) fails: \(ValueText.shown("\(error)"))", call, place, ifItWaits, number) {
            $0.answer()
            $0.finish(error)
        }
    }

    /// Sends a value from a stream, which stays alive.
    ///
    /// - Parameters:
    ///   - output: The value.
    ///   - call: The call that made the stream.
    ///   - ifItWaits: True to do nothing, instead of failing, if no such call is pending.
    ///   - number: The number of the call among those with these arguments, counted from 1 in the order of the calls; nil for
    ///     the oldest pending one.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func send<Input, Output, Failure>(
        _ output: Output, from call: StubCall<Input, Output, Failure>, ifItWaits: Bool = false, number: Int? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return answering("\(call) sends \(ValueText.shown(ValueText.describe(output)))", call, place, ifItWaits, number) {
            $0.send(output)
        }
    }

    /// Finishes a stream without a further value.
    ///
    /// - Parameters:
    ///   - call: The call that made the stream.
    ///   - ifItWaits: True to do nothing, instead of failing, if no such call is pending.
    ///   - number: The number of the call among those with these arguments, counted from 1 in the order of the calls; nil for the
    ///     oldest pending one.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func finish<Input, Output, Failure>(
        _ call: StubCall<Input, Output, Failure>, ifItWaits: Bool = false, number: Int? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return answering("\(call) finishes", call, place, ifItWaits, number) {
            $0.answer()
            $0.finish(nil)
        }
    }

    /// Checks that a call was made, and cancelled before it was answered. Each cancellation satisfies one such step.
    ///
    /// - Parameters:
    ///   - call: The call, such as `post(1)`.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func cancelled<Input, Output, Failure>(
        _ call: StubCall<Input, Output, Failure>,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("\(call) is cancelled", place) { world in
            let all = world.log.records(of: call)
            let records = all.filter { !$0.isFoundCancelled }
            let found =
                records.first { $0.state == .cancelled && !$0.isAsserted }
                ?? records.first { $0.state == .cancelled }
            if let found { return found.assertCancelled() }
            guard let last = records.last else {
                if !all.isEmpty {
                    throw PlanFault("\(call) was not cancelled again: an earlier step has checked its cancellation")
                }
                throw PlanFault(world.absence(of: call, doing: "was expected to be cancelled"))
            }
            if last.state == .waits, last.ignoresCancellation {
                throw PlanFault(
                    """
                    \(call) was not cancelled: its task was, but a function that cannot fail ignores that, and waits for its answer
                    Answer it by .resolve(\(call.source), with: …) or, if the function throws when it is cancelled, give the stub an error
                    """)
            }
            throw PlanFault("\(call) was not cancelled: it \(last.state.description)")
        }
    }

    /// Ignores the calls made so far: they need not be expected.
    ///
    /// - Parameters:
    ///   - names: The names of the functions whose calls to ignore; all functions if empty.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func ignoringCalls(
        of names: String...,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return noting("", place) { world in
            for call in world.unassertedCalls where names.isEmpty || names.contains(call.name) { call.assert() }
        }
    }

    private func answering<Input, Output, Failure>(
        _ title: @autoclosure @escaping () -> String, _ call: StubCall<Input, Output, Failure>, _ place: SourcePlace,
        _ ifItWaits: Bool, _ number: Int?, _ answer: @escaping (CallRecordOf<Input, Output, Failure>) -> Void
    ) -> Self {
        acting(title(), place) { world in
            var records = world.log.records(of: call)
            if let number { records = records.count >= number && number > 0 ? [records[number - 1]] : [] }
            // A cancelled call that is still awaited is answered only if no other one is pending.
            guard let record = records.first(where: { $0.state == .waits }) ?? records.first(where: \.isAwaited) else {
                if ifItWaits { return }
                let count = world.log.records(of: call).count
                if let number, records.isEmpty, count > 0 {
                    throw PlanFault(
                        "\(call) has no call number \(number): it was called \(count == 1 ? "once" : "\(count) times"), and numbers begin at 1"
                    )
                }
                guard let last = records.last else { throw PlanFault(world.absence(of: call, doing: "was to be answered")) }
                throw PlanFault(
                    last.state == .cancelled
                        ? "\(call) cannot be answered: it was cancelled. If that is right, write .cancelled(\(call.source))"
                        : "\(call) cannot be answered: it \(last.state.description) before")
            }
            record.assert()
            world.perform { answer(record) }
            try world.checkRefusals()
        }
    }
}

import Moonlight
import MoonlightTesting
import SwiftText

/// A possible outcome of a call of a stub, in an exploration.
public enum CallOutcome<Output, Failure: Error> {
    /// A value: a stream sends it and finishes, an asynchronous function returns it.
    case answer(Output)
    /// An error: a stream fails with it, an asynchronous function throws it.
    case failure(Failure)
    /// A value of a stream, which stays open.
    case send(Output)
    /// The end of a stream without a further value.
    case finish
}

extension CallOutcome: Sendable where Output: Sendable {}

/// The possible outcomes of the calls of one stub, with its types erased.
@usableFromInline
struct CallRule {
    /// True if a call may stay open forever.
    @usableFromInline let isNeverAnswered: Bool
    /// The number of values that a stream may send before it ends.
    @usableFromInline let mostValues: Int
    /// Returns the outcomes of a call; nil if the call is not of the stub's types.
    @usableFromInline let outcomes: @Sendable (CallRecord) -> [ErasedOutcome]?
    /// Gives a call the outcome with a number, counted among all outcomes or only among those that end the call. Returns true if
    /// the call stays open, and nil if there is no such outcome.
    @usableFromInline let give: @Sendable (_ record: CallRecord, _ outcome: Int, _ endsOnly: Bool) -> Bool?
}

/// One outcome of a call, with its types erased.
@usableFromInline
struct ErasedOutcome {
    private let texts: () -> (call: String, outcome: String, source: (Int?) -> String)
    /// The line of a trace.
    var title: String { "\(texts().call) \(texts().outcome)" }
    /// The part of that line that describes the outcome.
    var outcomeTitle: String { texts().outcome }
    /// Returns the step of a plan, in Swift.
    ///
    /// - Parameter number: The number of the call among those with the same arguments; nil if it is the only one.
    func source(number: Int?) -> String { texts().source(number) }
    /// True if the call stays open.
    let staysOpen: Bool

    @usableFromInline
    init<Input, Output, Failure>(_ outcome: CallOutcome<Output, Failure>, of record: CallRecordOf<Input, Output, Failure>) {
        staysOpen = outcome.staysOpen
        texts = {
            (
                record.description, outcome.title,
                { outcome.source(of: "\(record.name)\(SwiftSource.arguments(of: record.input))", $0) }
            )
        }
    }
}

extension CallRule {
    /// Creates the rule of a stub's calls.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - never: True if a call may stay open forever.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call with certain arguments.
    @inlinable
    init<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool, mostValues: Int,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) {
        isNeverAnswered = never
        self.mostValues = mostValues
        self.outcomes = { record in
            guard let record = record as? CallRecordOf<Input, Output, Failure> else { return nil }
            return outcomes(record.input).map { ErasedOutcome($0, of: record) }
        }
        // Created with concrete types, so that the compiler can specialize it: it is called at each step of a play.
        give = { record, number, endsOnly in
            guard let record = record as? CallRecordOf<Input, Output, Failure> else { return nil }
            var number = number
            for outcome in outcomes(record.input) where !endsOnly || !outcome.staysOpen {
                if number == 0 {
                    outcome.give(to: record)
                    return outcome.staysOpen
                }
                number -= 1
            }
            return nil
        }
    }
}

extension CallOutcome {
    @inlinable
    var staysOpen: Bool { if case .send = self { true } else { false } }

    fileprivate var title: String {
        switch self {
        case .answer(let output): "answers \(ValueText.shown(ValueText.describe(output)))"
        case .failure(let error): "fails: \(ValueText.shown("\(error)"))"
        case .send(let output): "sends \(ValueText.shown(ValueText.describe(output)))"
        case .finish: "finishes"
        }
    }

    fileprivate func source(of call: String, _ number: Int?) -> String {
        let number = number.map { ", number: \($0)" } ?? ""
        return switch self {
        case .answer(let output) where output is Void: ".resolve(\(call), ifItWaits: true\(number))"
        case .answer(let output): ".resolve(\(call), with: \(SwiftSource.of(output)), ifItWaits: true\(number))"
        case .failure(let error):
            ".fail(\(call), with: \(SwiftSource.of(error, isTypeKnown: Failure.self != (any Error).self)), ifItWaits: true\(number))"
        case .send(let output): ".send(\(SwiftSource.of(output)), from: \(call), ifItWaits: true\(number))"
        case .finish: ".finish(\(call), ifItWaits: true\(number))"
        }
    }

    @inlinable
    func give<Input>(to record: CallRecordOf<Input, Output, Failure>) {
        if !staysOpen { record.answer() }
        switch self {
        case .answer(let output):
            record.send(output)
            record.finish(nil)
        case .failure(let error): record.finish(error)
        case .send(let output): record.send(output)
        case .finish: record.finish(nil)
        }
    }
}

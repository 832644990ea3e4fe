import MoonlightTesting

/// What can become of a call of a stub, in an exploration.
public enum CallOutcome<Output, Failure: Error> {
    /// It answers with a value: a stream sends the value and finishes, an asynchronous function returns it.
    case answer(Output)
    /// It fails: a stream fails with the error, an asynchronous function throws it.
    case failure(Failure)
    /// A stream sends a value and stays open.
    case send(Output)
    /// A stream finishes without a further value.
    case finish
}

extension CallOutcome: Sendable where Output: Sendable {}

/// What can become of the calls of one stub, with its types erased.
struct CallRule {
    /// Whether a call may stay open for good.
    let isNeverAnswered: Bool
    /// The number of values that a stream may send before it ends.
    let mostValues: Int
    /// Returns the outcomes of a call; nil if the call is not of the stub's types.
    let outcomes: @Sendable (CallRecord) -> [ErasedOutcome]?
}

/// One outcome of a call, with its types erased.
struct ErasedOutcome {
    private let texts: () -> (call: String, outcome: String, source: (Int?) -> String)
    /// What the story says.
    var title: String { "\(texts().call) \(texts().outcome)" }
    /// What the story says of the outcome alone.
    var outcomeTitle: String { texts().outcome }
    /// Returns the step of a plan, in Swift.
    ///
    /// - Parameter number: Which of the calls with the same arguments it is; nil if there is but one.
    func source(number: Int?) -> String { texts().source(number) }
    /// Whether the call stays open.
    let staysOpen: Bool
    /// Gives the outcome to the call.
    let give: (CallRecord) -> Void

    fileprivate init(
        staysOpen: Bool, texts: @escaping () -> (call: String, outcome: String, source: (Int?) -> String),
        give: @escaping (CallRecord) -> Void
    ) { (self.staysOpen, self.texts, self.give) = (staysOpen, texts, give) }
}

extension CallRule {
    /// Creates the rule of a stub's calls.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - never: Whether a call may stay open for good.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call with certain arguments.
    init<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool, mostValues: Int,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) {
        isNeverAnswered = never
        self.mostValues = mostValues
        self.outcomes = { record in
            guard let record = record as? CallRecordOf<Input, Output, Failure> else { return nil }
            return outcomes(record.input).map { outcome in
                ErasedOutcome(staysOpen: outcome.staysOpen) {
                    (
                        record.description, outcome.title,
                        { outcome.source(of: "\(record.name)\(SwiftSource.arguments(of: record.input))", $0) }
                    )
                } give: { record in
                    // Sound: an outcome is given to a record of the same stub, which was recognized above.
                    if let record = record as? CallRecordOf<Input, Output, Failure> { outcome.give(to: record) }
                }
            }
        }
    }
}

extension CallOutcome {
    fileprivate var staysOpen: Bool { if case .send = self { true } else { false } }

    fileprivate var title: String {
        switch self {
        case .answer(let output): "answers \(Differences.shown(Differences.describe(output)))"
        case .failure(let error): "fails: \(Differences.shown("\(error)"))"
        case .send(let output): "sends \(Differences.shown(Differences.describe(output)))"
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

    fileprivate func give<Input>(to record: CallRecordOf<Input, Output, Failure>) {
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

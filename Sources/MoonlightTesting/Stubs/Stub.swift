/// A function of an environment, as a plan controls it: its name, what it is given, and what it answers.
///
/// ```swift
/// struct CounterEnvironment {
///     var post: @Sendable (Int) -> AnyPublisher<Int, NetworkError>
///     var load: @Sendable (String, Int) async throws -> Data
///     var log: @Sendable (String) -> Void
/// }
/// let post = Stub<Int, Int, NetworkError>("post")
/// let load = Stub<(String, Int), Data, any Error>("load")
/// let log = Stub<String, Void, Never>("log")
/// ```
/// A stub is a constant, with no state: it may be shared by all tests. Called like the function it stands for, it is a
/// ``StubCall``, which a plan expects and answers: `post(1)`.
public struct Stub<Input, Output, Failure: Error>: @unchecked Sendable {
    // Sound: the closures capture nothing but the types' own `==`.

    /// What failures and stories call it.
    public let name: String
    let isSame: (Input, Input) -> Bool
    let describe: (Input) -> String

    private init(
        _ name: String, isSame: @escaping (Input, Input) -> Bool,
        describe: @escaping (Input) -> String
    ) { (self.name, self.isSame, self.describe) = (name, isSame, describe) }

    /// A function of one argument.
    public init(_ name: String) where Input: Equatable {
        self.init(name, isSame: { $0 == $1 }, describe: { Differences.describe($0) })
    }

    /// A function without arguments.
    public init(_ name: String) where Input == Void { self.init(name, isSame: { _, _ in true }, describe: { _ in "" }) }

    /// A function of two arguments.
    public init<A: Equatable, B: Equatable>(_ name: String) where Input == (A, B) {
        self.init(name, isSame: { $0 == $1 }, describe: { list($0.0, $0.1) })
    }

    /// A function of three arguments.
    public init<A: Equatable, B: Equatable, C: Equatable>(_ name: String) where Input == (A, B, C) {
        self.init(name, isSame: { $0 == $1 }, describe: { list($0.0, $0.1, $0.2) })
    }

    /// A call of this function.
    public func callAsFunction(_ input: Input) -> StubCall<Input, Output, Failure> { StubCall(stub: self, input: input) }

    /// A call of this function, which has no arguments.
    public func callAsFunction() -> StubCall<Input, Output, Failure> where Input == Void { StubCall(stub: self, input: ()) }

    /// A call of this function.
    public func callAsFunction<A, B>(_ a: A, _ b: B) -> StubCall<Input, Output, Failure> where Input == (A, B) {
        StubCall(stub: self, input: (a, b))
    }

    /// A call of this function.
    public func callAsFunction<A, B, C>(_ a: A, _ b: B, _ c: C) -> StubCall<Input, Output, Failure>
    where Input == (A, B, C) { StubCall(stub: self, input: (a, b, c)) }
}

/// A call of a ``Stub``, with its arguments.
public struct StubCall<Input, Output, Failure: Error>: CustomStringConvertible {
    /// What is called.
    public let stub: Stub<Input, Output, Failure>
    /// The arguments.
    public let input: Input

    /// `post(1)`.
    public var description: String { "\(stub.name)(\(stub.describe(input)))" }
}

extension StubCall: Sendable where Input: Sendable {}

private func list(_ arguments: Any...) -> String { arguments.map(Differences.describe).joined(separator: ", ") }

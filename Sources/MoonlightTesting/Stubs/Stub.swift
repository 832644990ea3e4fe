/// A function of an environment as a plan controls it: its name, its arguments, and the type of its answer.
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
///
/// A stub is a constant without state, so all tests may share it. Calling it like the function it stands for makes a
/// ``StubCall``, such as `post(1)`, which a plan expects and answers.
public struct Stub<Input, Output, Failure: Error>: @unchecked Sendable {
    // Sound: the closures capture nothing but the `==` of the argument types.

    /// The name by which failures and stories refer to the function.
    public let name: String
    let isSame: (Input, Input) -> Bool
    let describe: (Input) -> String

    private init(
        _ name: String, isSame: @escaping (Input, Input) -> Bool,
        describe: @escaping (Input) -> String
    ) {
        self.name = name
        self.isSame = isSame
        self.describe = describe
    }

    /// Creates a stub of a function of one argument.
    ///
    /// - Parameter name: The name by which failures and stories refer to the function.
    public init(_ name: String) where Input: Equatable {
        self.init(name, isSame: { $0 == $1 }, describe: { Differences.describe($0) })
    }

    /// Creates a stub of a function without arguments.
    ///
    /// - Parameter name: The name by which failures and stories refer to the function.
    public init(_ name: String) where Input == Void { self.init(name, isSame: { _, _ in true }, describe: { _ in "" }) }

    /// Creates a stub of a function of two arguments.
    ///
    /// - Parameter name: The name by which failures and stories refer to the function.
    public init<A: Equatable, B: Equatable>(_ name: String) where Input == (A, B) {
        self.init(name, isSame: { $0 == $1 }, describe: { list($0.0, $0.1) })
    }

    /// Creates a stub of a function of three arguments.
    ///
    /// - Parameter name: The name by which failures and stories refer to the function.
    public init<A: Equatable, B: Equatable, C: Equatable>(_ name: String) where Input == (A, B, C) {
        self.init(name, isSame: { $0 == $1 }, describe: { list($0.0, $0.1, $0.2) })
    }

    /// Returns a call of this function with one argument.
    ///
    /// - Parameter input: The argument; for several, a tuple.
    @inlinable
    public func callAsFunction(_ input: Input) -> StubCall<Input, Output, Failure> { StubCall(stub: self, input: input) }

    /// Returns a call of this function, which takes no arguments.
    public func callAsFunction() -> StubCall<Input, Output, Failure> where Input == Void { StubCall(stub: self, input: ()) }

    /// Returns a call of this function with two arguments.
    ///
    /// - Parameters:
    ///   - a: The first argument.
    ///   - b: The second argument.
    public func callAsFunction<A, B>(_ a: A, _ b: B) -> StubCall<Input, Output, Failure> where Input == (A, B) {
        StubCall(stub: self, input: (a, b))
    }

    /// Returns a call of this function with three arguments.
    ///
    /// - Parameters:
    ///   - a: The first argument.
    ///   - b: The second argument.
    ///   - c: The third argument.
    public func callAsFunction<A, B, C>(_ a: A, _ b: B, _ c: C) -> StubCall<Input, Output, Failure>
    where Input == (A, B, C) { StubCall(stub: self, input: (a, b, c)) }
}

/// A call of a ``Stub``, with its arguments.
public struct StubCall<Input, Output, Failure: Error>: CustomStringConvertible {
    /// The function that is called.
    public let stub: Stub<Input, Output, Failure>
    /// The arguments.
    public let input: Input

    @usableFromInline
    init(stub: Stub<Input, Output, Failure>, input: Input) {
        self.stub = stub
        self.input = input
    }

    /// The call in Swift's notation: `post(1)`.
    public var description: String { "\(stub.name)(\(stub.describe(input)))" }
}

extension StubCall: Sendable where Input: Sendable {}

private func list(_ arguments: Any...) -> String { arguments.map(Differences.describe).joined(separator: ", ") }

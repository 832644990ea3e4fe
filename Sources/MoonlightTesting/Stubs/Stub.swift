import Moonlight
import SwiftText

/// A function of an environment that a plan controls: its name, its arguments, and the type of its answer.
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
/// A stub is a constant without state, so all tests may share it. Calling it like its function creates a ``StubCall``, such
/// as `post(1)`, which a plan expects and answers.
public struct Stub<Input, Output, Failure: Error>: @unchecked Sendable {
    // Sound: the closures capture only the `==` of the argument types.

    /// The name of the function in failures and traces.
    @usableFromInline package let name: String
    let isSame: (Input, Input) -> Bool
    let describe: (Input) -> String

    /// Creates a stub of a function.
    ///
    /// - Parameter name: The name of the function in failures and plans.
    public init<each Argument: Equatable>(_ name: String) where Input == (repeat each Argument) {
        self.name = name
        isSame = { one, other in
            for (one, other) in repeat (each one, each other) {
                if one != other { return false }
            }
            return true
        }
        describe = { input in
            var arguments: [String] = []
            for argument in repeat each input { arguments.append(ValueText.describe(argument)) }
            return arguments.joined(separator: ", ")
        }
    }

    /// Returns a call of this function.
    ///
    /// - Parameter arguments: The arguments.
    public func callAsFunction<each Argument>(
        _ arguments: repeat each Argument
    ) -> StubCall<Input, Output, Failure> where Input == (repeat each Argument) {
        StubCall(stub: self, input: (repeat each arguments))
    }
}

/// A call of a ``Stub``, with its arguments.
public struct StubCall<Input, Output, Failure: Error>: CustomStringConvertible {
    /// The called function.
    package let stub: Stub<Input, Output, Failure>
    /// The arguments.
    package let input: Input

    @usableFromInline
    init(stub: Stub<Input, Output, Failure>, input: Input) {
        self.stub = stub
        self.input = input
    }

    /// The call in Swift's notation: `post(1)`.
    public var description: String { "\(stub.name)(\(stub.describe(input)))" }

    /// The call as Swift source, which a plan may contain.
    var source: String { stub.name + SwiftSource.arguments(of: input) }
}

extension StubCall: Sendable where Input: Sendable {}

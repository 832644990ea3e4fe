import Streams

extension AnyPublisher where Failure == Never {
    /// A stream of what an asynchronous body sends, in which an error becomes a last value.
    ///
    /// ```swift
    /// case .open(let url):
    ///     return .run { send in
    ///         send(.started)
    ///         send(.loaded(try await load(url)))
    ///     } catch: { .failed("\($0)") }
    /// ```
    /// The body is cancelled with the subscription: with its loop, its job or its scope. What it sends after that is dropped,
    /// also what `catch` makes of its `CancellationError`.
    ///
    /// - Parameters:
    ///   - priority: The task's priority.
    ///   - body: Sends values; runs off any actor unless it says otherwise.
    ///   - recover: Makes a value of what the body has thrown; nil for none.
    public static func run(
        priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (Send<Output>) async throws -> Void,
        catch recover: @escaping @Sendable (any Error) -> Output?
    ) -> AnyPublisher where Output: Sendable {
        run(priority: priority) { send in
            do {
                try await body(send)
            } catch {
                if let value = recover(error) { send(value) }
            }
        }
    }

    /// A body that throws needs a `catch:`. This is only here to say so: else the compiler speaks of a function's conversion.
    @available(
        *, unavailable,
        message:
            "a body that throws needs `catch:`, which makes a value of the error: .run { send in … } catch: { error in .failed(\"\\(error)\") }"
    )
    public static func run(
        priority: TaskPriority? = nil, _ body: @escaping @Sendable (Send<Output>) async throws -> Void
    ) -> AnyPublisher { .none }
}

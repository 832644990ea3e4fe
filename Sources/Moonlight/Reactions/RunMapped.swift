import Streams

extension AnyPublisher where Failure == Never {
    /// Creates a publisher of the values that an asynchronous body sends; an error that the body throws becomes the last value.
    ///
    /// ```swift
    /// case .open(let url):
    ///     return .run { send in
    ///         send(.started)
    ///         send(.loaded(try await load(url)))
    ///     } catch: { .failed("\($0)") }
    /// ```
    ///
    /// The body is cancelled with the subscription, that is, with its loop, its job or its scope. Values that it sends after that
    /// are dropped, including the value that `catch` makes of the `CancellationError`. If it has not begun by then, it never
    /// does, even if it waits for its actor.
    ///
    /// - Parameters:
    ///   - priority: The task's priority.
    ///   - body: Sends values. It runs outside any actor unless its type says otherwise.
    ///   - recover: Makes a value of the thrown error; nil for none.
    /// - Returns: A publisher that finishes when the body has returned or thrown.
    public static func run(
        priority: TaskPriority? = nil,
        _ body: @escaping @isolated(any) @Sendable (Send<Output>) async throws -> Void,
        catch recover: @escaping @Sendable (any Error) -> Output?
    ) -> AnyPublisher where Output: Sendable {
        // On the body's actor, so that a body that waits for it, and is cancelled meanwhile, does not begin.
        run(priority: priority, on: body.isolation) { send, _ in
            do {
                try await body(send)
            } catch {
                if let value = recover(error) { send(value) }
            }
        }
    }

    /// Unavailable: a body that throws needs `catch:`.
    ///
    /// Declared for its message only; without it, the compiler would report a failed function conversion.
    @available(
        *, unavailable,
        message:
            "a body that throws needs `catch:`, which makes a value of the error: .run { send in … } catch: { error in .failed(\"\\(error)\") }"
    )
    public static func run(
        priority: TaskPriority? = nil,
        _ body: @escaping @isolated(any) @Sendable (Send<Output>) async throws -> Void
    ) -> AnyPublisher { .none }
}

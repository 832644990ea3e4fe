import Streams

extension Publisher where Failure == Never {
    /// Returns this stream as a stream of effects, for a `transform` to return.
    ///
    /// ```swift
    /// case .load: return environment.counts().effects(CounterEffect.loaded)
    /// ```
    ///
    /// - Parameter effect: Makes an effect of a value; usually the case itself.
    @inlinable
    public func effects<Effect>(_ effect: @escaping @Sendable (Output) -> Effect) -> AnyPublisher<Effect, Never> {
        eraseToAnyPublisher().mapped(effect)
    }
}

extension Publisher {
    /// Returns this stream as a stream of effects, for a `transform` to return; its failure becomes the last effect.
    ///
    /// ```swift
    /// case .load: return environment.counts().effects(CounterEffect.loaded) { .failed("\($0)") }.job("load")
    /// ```
    ///
    /// - Parameters:
    ///   - effect: Makes an effect of a value; usually the case itself.
    ///   - recover: Makes an effect of the failure.
    @inlinable
    public func effects<Effect>(
        _ effect: @escaping @Sendable (Output) -> Effect, catch recover: @escaping @Sendable (Failure) -> Effect
    ) -> AnyPublisher<Effect, Never> {
        AnyPublisher(storing: .hiding(map(effect).catch { Just(recover($0)) }))
    }
}

// The operators that streams of effects need most, in forms that return an `AnyPublisher`: an expression that begins with a dot,
// as `.run { … }.job("load")` in a `transform`, has the type with which it begins.
extension AnyPublisher where Failure == Never {
    /// Returns this stream with effects before it, which are ready.
    ///
    /// - Parameter effects: The effects.
    @inlinable
    public func prepend(_ effects: Output...) -> AnyPublisher { AnyPublisher(storing: .values(effects)).followed(by: self) }

    /// Returns this stream with effects after it.
    ///
    /// - Parameter effects: The effects.
    @inlinable
    public func append(_ effects: Output...) -> AnyPublisher { followed(by: AnyPublisher(storing: .values(effects))) }

    /// Returns this stream followed by another; if both are ready, so is the result.
    @inlinable
    func followed(by other: AnyPublisher) -> AnyPublisher {
        guard let values = readyValues, let others = other.readyValues else {
            return AnyPublisher(storing: .hiding(append(other)))
        }
        return AnyPublisher(storing: .values(values + others))
    }
}

extension AnyPublisher where Failure == Never, Output: Sendable {
    /// Creates a publisher of the one value that an asynchronous body returns.
    ///
    /// ```swift
    /// case .open(let url): return .run { .loaded(await load(url)) }
    /// ```
    /// The body is cancelled with the subscription, that is, with its loop, its job or its scope. A body that is passed `send` sends
    /// any number of values.
    ///
    /// - Parameters:
    ///   - priority: The task's priority.
    ///   - body: Returns the value. It runs outside any actor unless its type says otherwise.
    public static func run(
        priority: TaskPriority? = nil, _ body: @escaping @isolated(any) @Sendable () async -> Output
    ) -> AnyPublisher {
        run(priority: priority, on: body.isolation) { send, _ in send(await body()) }
    }

    /// Creates a publisher of the one value that an asynchronous body returns, or that is made of the error that it throws.
    ///
    /// ```swift
    /// case .open(let url): return .run { .loaded(try await load(url)) } catch: { .failed("\($0)") }
    /// ```
    ///
    /// - Parameters:
    ///   - priority: The task's priority.
    ///   - body: Returns the value. It runs outside any actor unless its type says otherwise.
    ///   - recover: Makes a value of the thrown error; nil for none.
    public static func run(
        priority: TaskPriority? = nil, _ body: @escaping @isolated(any) @Sendable () async throws -> Output,
        catch recover: @escaping @Sendable (any Error) -> Output?
    ) -> AnyPublisher {
        run(priority: priority, on: body.isolation) { send, _ in
            do {
                send(try await body())
            } catch {
                if let value = recover(error) { send(value) }
            }
        }
    }
}

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

import Streams

// The same forms with an `apply` that changes the state in place: the same pure function, written without the copy.
extension Moonlight {
    /// Runs a loop; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: isolation.map(HomeActor.init))
        loop.bind(loop.makeStatePublisher()) { [feedback($0)] }
        return AnyCancellable(loop)
    }

    /// Runs a loop with several streams of events; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: isolation.map(HomeActor.init))
        loop.bind(loop.makeStatePublisher(), feedback)
        return AnyCancellable(loop)
    }

    /// Runs a loop and returns its stream of states; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: isolation.map(HomeActor.init))
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states) { [feedback($0)] }
        return states
    }

    /// Runs a loop with several streams of events and returns its stream of states; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: isolation.map(HomeActor.init))
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states, feedback)
        return states
    }

    /// Runs a loop, whose environment may be used from any thread; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: nil)
        loop.bind(loop.makeStatePublisher()) { [feedback($0)] }
        return AnyCancellable(loop)
    }

    /// Runs a loop with several streams of events, whose environment may be used from any thread; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: nil)
        loop.bind(loop.makeStatePublisher(), feedback)
        return AnyCancellable(loop)
    }

    /// Runs a loop and returns its stream of states, whose environment may be used from any thread; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states) { [feedback($0)] }
        return states
    }

    /// Runs a loop with several streams of events and returns its stream of states, whose environment may be used from any thread; `apply` changes the state in place.
    ///
    /// See the form with a returning `apply` for the rest.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .inPlace(apply), home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states, feedback)
        return states
    }
}

extension Publisher {
    /// Subscribes with closures for the values and the completion, and requests all values.
    ///
    /// The closures run in the isolation in which they are formed:
    /// - On the main actor, they are called at once for a value that is sent on the main thread. A value that is sent elsewhere
    ///   goes through a queue, which keeps the order.
    /// - On another actor, they are called at once for a value that is sent during this call. Later values go through the queue.
    /// - Without an actor, the thread that sends calls them.
    ///
    /// Closures that were formed on an actor are also released there, with their captured values: if another thread cancels, soon
    /// after the cancellation. Values that operators upstream keep, such as one that waits in `zip`, are released by the thread that
    /// cancels.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the closures run; that of the caller by default.
    ///   - receiveCompletion: Called at most once, after the last value.
    ///   - receiveValue: Called for each value. Calls never overlap.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    @inlinable @inline(__always) public func sink(
        isolation: isolated (any Actor)? = #isolation,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        attach(SinkSubscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion), on: isolation)
    }

    /// Subscribes with a closure for the values of a publisher that cannot fail, and requests all values.
    ///
    /// See ``sink(isolation:receiveCompletion:receiveValue:)`` for where the closure runs.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the closure runs; that of the caller by default.
    ///   - receiveValue: Called for each value. Calls never overlap.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    @inlinable @inline(__always) public func sink(
        isolation: isolated (any Actor)? = #isolation, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable where Failure == Never { sinkValue(isolation: isolation, receiveValue) }

    /// Subscribes with a closure for the values, requests all values, and ignores the completion, even a failure.
    ///
    /// See ``sink(isolation:receiveCompletion:receiveValue:)`` for where the closure runs.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the closure runs; that of the caller by default.
    ///   - receiveValue: Called for each value. Calls never overlap.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    @inlinable @inline(__always) public func sinkValue(
        isolation: isolated (any Actor)? = #isolation, _ receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable { attach(SinkSubscriber(receiveValue: receiveValue), on: isolation) }

    /// Attaches the subscriber of a sink. Without an actor, ready values are delivered without a subscription.
    @inlinable @inline(__always)
    func attach(_ sink: SinkSubscriber<Output, Failure>, on isolation: (any Actor)?) -> AnyCancellable {
        if let isolation {
            let isolated = IsolatedSinkSubscriber(on: isolation, sink)
            isolated.delivery.during { subscribe(isolated) }
        } else {
            // The closure returns true for every value.
            switch _sendReady(to: { sink.receive($0) == .none }) {
            case .unready: subscribe(sink)
            case .taken: sink.receive(completion: .finished)
            case .left(let rest): AnyPublisher(left: rest).subscribe(sink)
            }
        }
        return AnyCancellable(keeping: sink.inlet)
    }
}

/// The subscriber of a sink, at the end of a chain. It stores the subscription in an inlet, and requests all values.
@usableFromInline struct SinkSubscriber<Input, Failure: Error>: Subscriber {
    @usableFromInline let inlet = Inlet(isOpen: true)
    @usableFromInline let receiveValue: (Input) -> Void
    /// Nil if the sink ignores the completion.
    @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    @inlinable @inline(__always) init(
        receiveValue: @escaping (Input) -> Void, receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        self.receiveValue = receiveValue
        self.receiveCompletion = receiveCompletion
    }

    @inlinable @inline(__always) func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if !inlet.isEnded { receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always) func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { receiveCompletion?(completion) }
    }

    @inlinable @inline(__always) var combineIdentifier: CombineIdentifier { inlet.combineIdentifier }
}

/// Delivers the events of a sink on the actor on which its closures were formed.
@usableFromInline struct IsolatedSinkSubscriber<Input, Failure: Error>: Subscriber {
    @usableFromInline enum Item {
        case value(Input)
        case completion(Subscribers.Completion<Failure>)
    }

    @usableFromInline let inlet: Inlet
    @usableFromInline let delivery: IsolatedDelivery<Item>

    @inlinable init(on actor: any Actor, _ base: SinkSubscriber<Input, Failure>) {
        inlet = base.inlet
        delivery = IsolatedDelivery(on: actor, until: inlet) { item in
            switch item {
            case .value(let value): _ = base.receive(value)
            case .completion(let completion): base.receive(completion: completion)
            }
        }
    }

    @inlinable func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if !inlet.isEnded { delivery.deliver(.value(input)) }
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) { delivery.deliver(.completion(completion)) }

    @inlinable var combineIdentifier: CombineIdentifier { inlet.combineIdentifier }
}

extension Publisher where Failure == Never {
    /// Writes each value to a property of an object.
    ///
    /// The property is written, and the object released, in the isolation of the caller, where the closures of
    /// ``Publisher/sink(isolation:receiveCompletion:receiveValue:)`` are run and released.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - object: The object. It is kept alive until the publisher finishes or the subscription is cancelled.
    ///   - isolation: The actor on which the property is written; that of the caller by default.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    @inlinable public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable { sink(isolation: isolation) { object[keyPath: keyPath] = $0 } }
}

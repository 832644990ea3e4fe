extension Subscribers {
    /// A subscriber that calls closures and requests all values, like `sink`, as an object.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        let inlet: Inlet
        private let outlet: Outlet<AnySubscriber<Input, Failure>>
        /// Receives a value, as the publisher calls it. Does nothing after completion or cancellation.
        public var receiveValue: (Input) -> Void { { _ = self.receive($0) } }

        /// Receives the completion, as the publisher calls it. Does nothing after completion or cancellation.
        public var receiveCompletion: (Completion<Failure>) -> Void { receive(completion:) }

        /// Creates a subscriber of closures, which run, and are released, in the isolation in which they are formed, as those of `sink`.
        ///
        /// - Parameters:
        ///   - isolation: The actor on which the closures run; that of the caller by default.
        ///   - receiveCompletion: Called at most once, after the last value.
        ///   - receiveValue: Called for each value.
        public init(
            isolation: isolated (any Actor)? = #isolation,
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            let sink = SinkSubscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
            inlet = sink.inlet
            outlet = Outlet(isolation.map { .init(IsolatedSinkSubscriber(on: $0, sink)) } ?? AnySubscriber(sink))
        }

        /// Receives the subscription and requests all values. Cancels any subscription but the first.
        public func receive(subscription: any Subscription) { if inlet.fill(subscription) { subscription.request(.unlimited) } }

        /// Receives a value.
        public func receive(_ value: Input) -> Demand { outlet.send(value) }

        /// Receives the completion, and releases the closures.
        public func receive(completion: Completion<Failure>) { outlet.finish(completion) }

        /// Cancels the subscription, and releases the closures.
        public func cancel() {
            outlet.close()
            inlet.cancel()
        }

        /// `Sink`.
        public var description: String { "Sink" }

        /// `Sink`.
        public var playgroundDescription: Any { description }

        /// A mirror without children.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}

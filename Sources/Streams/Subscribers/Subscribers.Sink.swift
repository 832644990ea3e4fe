extension Subscribers {
    /// A subscriber that calls closures and asks for all values: what a `sink` attaches, as an object.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        let slot: SubscriptionSlot
        private let outlet: Outlet<AnySubscriber<Input, Failure>>
        /// What is called for each value; calls nothing after the end.
        public var receiveValue: (Input) -> Void { { _ = self.receive($0) } }

        /// What is called for the completion; calls nothing after the end.
        public var receiveCompletion: (Completion<Failure>) -> Void { receive(completion:) }

        /// A subscriber of closures. They run in the isolation in which they were formed, as those of `sink` do.
        public init(
            isolation: isolated (any Actor)? = #isolation,
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            let sink = SinkSubscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
            slot = sink.slot
            outlet = Outlet(isolation.map { .init(IsolatedSinkSubscriber(on: $0, sink)) } ?? AnySubscriber(sink))
        }

        /// Takes the subscription and asks for all values; cancels any but the first.
        public func receive(subscription: any Subscription) { if slot.fill(subscription) { subscription.request(.unlimited) } }

        /// Takes a value.
        public func receive(_ value: Input) -> Demand { outlet.send(value) }

        /// Takes the completion, and lets go of the closures.
        public func receive(completion: Completion<Failure>) { outlet.finish(completion) }

        /// Cancels the subscription, and lets go of the closures.
        public func cancel() {
            outlet.close()
            slot.cancel()
        }

        /// `Sink`.
        public var description: String { "Sink" }

        /// `Sink`.
        public var playgroundDescription: Any { description }

        /// Without children.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}

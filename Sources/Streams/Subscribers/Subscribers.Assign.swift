extension Subscribers {
    /// A subscriber that writes each value to a property: what `assign(to:on:)` attaches, as an object.
    public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        /// It is given no errors.
        public typealias Failure = Never
        private let target: Lock<UncheckedTransfer<Root?>>
        private let sink: Sink<Input, Never>

        /// The object; nil after the end.
        public var object: Root? { target.withLock { $0 }.value }

        /// The property.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// A subscriber that writes to a property, in the isolation in which this is called.
        public init(isolation: isolated (any Actor)? = #isolation, object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            self.keyPath = keyPath
            target = Lock(UncheckedTransfer(object))
            sink = Sink(isolation: isolation, receiveCompletion: { _ in }) { object[keyPath: keyPath] = $0 }
        }

        /// Takes the subscription and asks for all values; cancels any but the first.
        public func receive(subscription: any Subscription) { sink.receive(subscription: subscription) }

        /// Writes a value, if there is a subscription.
        public func receive(_ value: Input) -> Demand { sink.slot.isFilled ? sink.receive(value) : .none }

        /// Takes the completion, and lets go of the object.
        public func receive(completion: Completion<Never>) {
            sink.receive(completion: completion)
            letGo()
        }

        /// Cancels the subscription, and lets go of the object.
        public func cancel() {
            sink.cancel()
            letGo()
        }

        private func letGo() {
            var last = UncheckedTransfer<Root?>(nil)
            target.withLock { swap(&$0, &last) }
        }

        /// `Assign` and the type of the object.
        public var description: String { "Assign \(Root.self)." }

        /// As the description.
        public var playgroundDescription: Any { description }

        /// The object, the property and whether there is a subscription.
        public var customMirror: Mirror {
            Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": sink.slot.isFilled])
        }
    }
}

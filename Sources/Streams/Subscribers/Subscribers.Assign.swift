extension Subscribers {
    /// A subscriber that writes each value to a property, like `assign(to:on:)`, as an object.
    public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        /// `Never`, as it receives no errors.
        public typealias Failure = Never
        private let target: Lock<UncheckedTransfer<Root?>>
        /// The actor that the object belongs to.
        private let actor: (any Actor)?
        /// Released after `target`, and so with the last reference to the object, which it releases on the actor.
        private let sink: Sink<Input, Never>

        /// The object; nil after completion or cancellation.
        public var object: Root? { target.withLock { $0 }.value }

        /// The property.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// Creates a subscriber that writes to a property.
        ///
        /// - Parameters:
        ///   - isolation: The actor on which the property is written; that of the caller by default.
        ///   - object: The object. It is kept alive until completion or cancellation.
        ///   - keyPath: The property.
        public init(isolation: isolated (any Actor)? = #isolation, object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            self.keyPath = keyPath
            actor = isolation
            target = Lock(UncheckedTransfer(object))
            sink = Sink(isolation: isolation, receiveCompletion: { _ in }, receiveValue: { object[keyPath: keyPath] = $0 })
        }

        /// Receives the subscription and requests all values. Cancels any subscription but the first.
        public func receive(subscription: any Subscription) { sink.receive(subscription: subscription) }

        /// Receives a value, and writes it if there is a subscription.
        public func receive(_ value: Input) -> Demand { sink.inlet.isFilled ? sink.receive(value) : .none }

        /// Receives the completion, and releases the object, on its actor.
        public func receive(completion: Completion<Never>) {
            sink.receive(completion: completion)
            letGo()
        }

        /// Cancels the subscription, and releases the object, on its actor.
        public func cancel() {
            sink.cancel()
            letGo()
        }

        /// Releases the object on its actor.
        private func letGo() {
            if let actor, actor !== MainActor.shared || !MainQueue.isCurrent {
                ActorRelease(takeTarget()).run(on: actor)
            } else {
                discard(takeTarget())
            }
        }

        /// Returns the object, without keeping a reference to it.
        @inline(never) private func takeTarget() -> Root? {
            var last = UncheckedTransfer<Root?>(nil)
            target.withLock { swap(&$0, &last) }
            return last.value
        }

        /// `Assign` and the type of the object.
        public var description: String { "Assign \(Root.self)." }

        /// The description.
        public var playgroundDescription: Any { description }

        /// The object, the property and whether there is a subscription.
        public var customMirror: Mirror {
            Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": sink.inlet.isFilled])
        }
    }
}

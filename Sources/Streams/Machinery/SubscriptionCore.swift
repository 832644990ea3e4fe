/// The base class of all subscriptions of this module. A reference to it is one word, where `any Subscription` is five, and it is
/// `Sendable`: values may be requested from each subclass, and each may be cancelled, on any thread.
@usableFromInline
package class SubscriptionCore: Subscription, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
    // Sound: the base class has no state, and each subclass protects its own, as its comment says.
    @inlinable package init() {}

    @usableFromInline
    package func request(_ demand: Subscribers.Demand) { preconditionFailure("\(Self.self) must override request") }

    @usableFromInline package func cancel() { preconditionFailure("\(Self.self) must override cancel") }
    @inlinable package final var _subscriptionCore: AnyObject? { self }
    @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    /// True once it has ended and need not be retained any longer.
    package var isSpent: Bool { false }

    @usableFromInline package var description: String { "Subscription" }

    /// A mirror without children, because the state may be changing on another thread.
    @usableFromInline package var customMirror: Mirror { mirror([]) }

    @usableFromInline package var playgroundDescription: Any { description }

    /// Returns a mirror of this subscription with the given children, without those of its base classes.
    final func mirror(_ children: [Mirror.Child]) -> Mirror {
        Mirror(self, children: children, ancestorRepresentation: .suppressed)
    }

    /// Returns a subscription of this module unchanged, and any other wrapped in a ``ForeignSubscription``.
    @inlinable package static func adopting(_ subscription: any Subscription) -> SubscriptionCore {
        subscription._subscriptionCore as? SubscriptionCore ?? ForeignSubscription(subscription)
    }
}

/// A subscription that comes from a publisher outside this module.
@usableFromInline final class ForeignSubscription: SubscriptionCore, @unchecked Sendable {
    // Sound if its publisher is correct: `Subscription` requires its methods to be safe on any thread.
    private let base: any Subscription

    @usableFromInline init(_ base: any Subscription) { self.base = base }
    override func request(_ demand: Subscribers.Demand) { base.request(demand) }
    override func cancel() { base.cancel() }
    override var description: String { String(describing: base) }
}

/// A namespace for ready-made subscriptions.
public enum Subscriptions {
    /// A subscription that ignores requests and cancellation, for a publisher that sends only a completion.
    public static var empty: any Subscription { Empty.shared }

    private final class Empty: SubscriptionCore, @unchecked Sendable {
        // Sound: it has no state.
        static let shared = Empty()

        override func request(_ demand: Subscribers.Demand) {}
        override func cancel() {}
        override var description: String { "Empty" }
    }
}

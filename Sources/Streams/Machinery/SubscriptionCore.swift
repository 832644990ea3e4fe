/// The class that every subscription of this module derives from. A reference to it is one word, where `any Subscription` is
/// five, and it is `Sendable`: each subclass may be asked and cancelled from any thread.
@usableFromInline
package class SubscriptionCore: Subscription, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
    // Sound: the base has no state, and every subclass guards its own (each says how).
    @inlinable package init() {}

    @usableFromInline
    package func request(_ demand: Subscribers.Demand) { preconditionFailure("\(Self.self) must override request") }

    @usableFromInline package func cancel() { preconditionFailure("\(Self.self) must override cancel") }
    @inlinable package final var _subscriptionCore: AnyObject? { self }
    @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    /// Whether nothing can come of it any more, so that nobody need keep it.
    @usableFromInline package var isSpent: Bool { false }

    /// What is done when a scheduler runs what this subscription has scheduled, by the number it gave that.
    @usableFromInline package func takeTurn(_ number: Int) {}

    @usableFromInline package var description: String { "Subscription" }

    /// Nothing, for what is inside may be changing on another thread.
    @usableFromInline package var customMirror: Mirror { mirror([]) }

    @usableFromInline package var playgroundDescription: Any { description }

    /// This subscription with some children and nothing of its base classes.
    final func mirror(_ children: [Mirror.Child]) -> Mirror {
        Mirror(self, children: children, ancestorRepresentation: .suppressed)
    }

    /// A subscription of ours as it is; anybody else's wrapped.
    @inlinable package static func adopting(_ subscription: any Subscription) -> SubscriptionCore {
        subscription._subscriptionCore as? SubscriptionCore ?? ForeignSubscription(subscription)
    }
}

/// A subscription that comes from a publisher outside this module.
@usableFromInline final class ForeignSubscription: SubscriptionCore, @unchecked Sendable {
    // Sound as far as its publisher is: Subscription demands that its methods are safe from any thread.
    private let base: any Subscription

    @usableFromInline init(_ base: any Subscription) { self.base = base }
    override func request(_ demand: Subscribers.Demand) { base.request(demand) }
    override func cancel() { base.cancel() }
    override var description: String { String(describing: base) }
}

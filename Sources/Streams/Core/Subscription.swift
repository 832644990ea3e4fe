/// An activity that can be cancelled.
public protocol Cancellable {
    /// Cancels the activity. Safe to call from any thread, and more than once.
    func cancel()
}

/// The connection of one subscriber to its publisher.
///
/// Both methods may be called from any thread, also during a delivery.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Requests values, in addition to those requested before.
    ///
    /// - Parameter demand: The additional demand.
    func request(_ demand: Subscribers.Demand)

    /// This subscription if it belongs to this module, which saves a cast; nil by default. Do not implement this property.
    var _subscriptionCore: AnyObject? { get }
}

extension Subscription {
    /// Nil.
    @inlinable public var _subscriptionCore: AnyObject? { nil }
}

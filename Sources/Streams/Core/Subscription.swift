/// The link between one subscriber and its publisher. Both methods are safe from any thread, also from inside a delivery.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Asks for so many more values, on top of those asked for already.
    func request(_ demand: Subscribers.Demand)

    /// Itself, if it is one of this module's own, to save a cast; nil for anybody else's, which need not define it.
    var _subscriptionCore: AnyObject? { get }
}

extension Subscription {
    /// Nothing.
    @inlinable public var _subscriptionCore: AnyObject? { nil }
}

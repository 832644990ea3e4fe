/// Ready-made subscriptions.
public enum Subscriptions {
    /// A subscription on which nothing will ever arrive, for a publisher that has nothing but a completion to send.
    public static var empty: any Subscription { Empty.shared }

    private final class Empty: SubscriptionCore, @unchecked Sendable {
        // Sound without a lock: it has no state.
        static let shared = Empty()

        override func request(_ demand: Subscribers.Demand) {}
        override func cancel() {}
        override var description: String { "Empty" }
    }
}

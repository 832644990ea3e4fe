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

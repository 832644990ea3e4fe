/// Keeps the grammar between a publisher of somebody else's and an operator that relies on it: what comes after the
/// completion or after `cancel()` is dropped, and a second subscription is cancelled.
@usableFromInline
final class GrammarGuard<Downstream: Subscriber>:
    InterceptingSubscriber<Downstream.Input, Downstream.Failure, Downstream>, @unchecked Sendable
{
    // Sound: as the base class says.
    private let isNamed: Bool

    @usableFromInline
    init(_ downstream: Downstream, guardedAs name: StaticString?) {
        isNamed = name != nil
        super.init(downstream, named: name ?? "")
    }

    @usableFromInline
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand { outlet.send(input) }

    @usableFromInline
    override var description: String { isNamed ? super.description : inlet.description }
}

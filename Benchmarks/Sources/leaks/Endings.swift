import Streams

/// The ways in which a subscription ends.
enum Ending: String, CaseIterable {
    case finished, failed, cancelled
    case cancelledInside = "cancelled from inside a value"
    case asked = "asked for one value, then cancelled"
    case neverAsked = "never asked for anything, then cancelled"
    case refused = "cancelled while it was subscribed to"
}

/// Runs an operator from the subscription to an end, after which no allocation may remain.
func run(_ operation: Operation, to ending: Ending) {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()
    let seat = Seat()
    let publisher = operation.apply(subject.eraseToAnyPublisher(), time)
    publisher.subscribe(
        AnySubscriber(
            receiveSubscription: { subscription in
                seat.subscription = subscription
                switch ending {
                case .asked: subscription.request(.max(1))
                case .neverAsked: break
                case .refused: subscription.cancel()
                default: subscription.request(.unlimited)
                }
            },
            receiveValue: { _ in
                if ending == .cancelledInside { seat.leave() }
                return .none
            }))
    time.advance()
    for value in 1...3 {
        subject.send(value)
        time.advance(by: .milliseconds(500))
    }
    switch ending {
    case .finished: subject.send(completion: .finished)
    case .failed: subject.send(completion: .failure(.first))
    default: seat.leave()
    }
    time.run(limit: 1_000)
    // A completed subscriber releases its subscription; any other one must cancel it.
    seat.leave()
    time.run(limit: 1_000)
}

/// The storage of a subscriber's subscription.
private final class Seat {
    var subscription: (any Subscription)?
    func leave() {
        let subscription = subscription
        self.subscription = nil
        subscription?.cancel()
    }
}

import Streams

/// The subscriber of a run: follows the script, and checks the rules. It retains its subscription, even after the end.
final class Observer<Input, Failure: Error>: Subscriber {
    private let script: Script
    /// Indicates whether a completion may arrive after the cancellation.
    private let completesAnyway: Bool
    private let perform: (Action) -> Void
    private(set) var subscription: (any Subscription)?
    private(set) var values: [Input] = []
    private(set) var end: End?
    private(set) var violations: [String] = []
    /// The demand that has not been served.
    private(set) var open = 0
    /// The number of values without demand.
    private(set) var unasked = 0
    private(set) var hasCancelled = false
    private var isReceiving = false

    init(_ script: Script, completesAnyway: Bool, perform: @escaping (Action) -> Void) {
        self.script = script
        self.completesAnyway = completesAnyway
        self.perform = perform
    }

    func request(_ count: Int) {
        guard count > 0 else { return }
        let demand = count == .everything ? Subscribers.Demand.unlimited : .max(count)
        open = open.adding(demand)
        subscription?.request(demand)
    }

    func cancel() {
        hasCancelled = true
        subscription?.cancel()
    }

    func receive(subscription: any Subscription) {
        check(self.subscription == nil, "a second subscription")
        self.subscription = subscription
        request(script.demand)
        if script.cancelsAtStart { cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        arrive("\(input)")
        if open == 0 { unasked += 1 }
        open = open.less(1)
        values.append(input)
        isReceiving = true
        if let inside = script.inside, inside.position == values.count - 1 { inside.actions.forEach(perform) }
        isReceiving = false
        open = open.adding(.max(script.returned))
        return .max(script.returned)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if !completesAnyway || !hasCancelled { arrive("\(completion)") }
        end =
            switch completion {
            case .finished: .finished
            case .failure(let error): .failed(error as! Oops)
            }
    }

    private func arrive(_ what: @autoclosure () -> String) {
        check(subscription != nil, "\(what()) before the subscription")
        check(!isReceiving, "\(what()) inside a delivery")
        check(end == nil, "\(what()) after the end")
        check(!hasCancelled, "\(what()) after cancel")
    }

    private func check(_ isRight: Bool, _ violation: @autoclosure () -> String) {
        if !isRight { violations.append(violation()) }
    }
}

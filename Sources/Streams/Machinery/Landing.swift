/// A place in a very long chain where everything that goes up or down stops and goes on from the ground. To subscribe, deliver,
/// ask and cancel are calls through the whole chain: a hundred thousand nested ones. So behind every thirty-second erased
/// publisher stands one of these, and what reaches it waits until the stretch before it has returned. An erased publisher knows
/// how many lie behind it (`erasureDepth`): a chain of usual length pays nothing. What comes down goes through a mailbox, for it
/// may wait here when the next comes, perhaps by another thread.
@usableFromInline
final class Landing<Input, Failure: Error>:
    InterceptingSubscriber<Input, Failure, AnySubscriber<Input, Failure>>, @unchecked Sendable
{
    // Sound: as the base class says; `batch` belongs to the mailbox's owner.
    private enum Event {
        case subscription, value(Input, for: (any AnyObject & Sendable)?), completion(Subscribers.Completion<Failure>)
    }
    private let mailbox = Mailbox<Event>()
    @exclusivity(unchecked) private var batch: [Event] = []
    @usableFromInline init(_ downstream: AnySubscriber<Input, Failure>) { super.init(downstream, named: "AnyPublisher") }
    @usableFromInline override func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { take(.subscription) }
    }
    @usableFromInline override func receive(_ input: Input) -> Subscribers.Demand {
        if !inlet.isEnded { take(.value(input, for: DeliveryOrigin.isSet ? DeliveryOrigin.current : nil)) }
        return .none
    }
    @usableFromInline override func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { take(.completion(completion)) }
    }
    private func take(_ event: Event) { if mailbox.post(event) { Stretch.begin { self.handleMail() } } }
    private func handleMail() {
        repeat {
            mailbox.collect(into: &batch)
            batch.reverse()
            while let event = batch.popLast() { handle(event) }
        } while !mailbox.leave()
    }
    private func handle(_ event: Event) {
        switch event {
        case .subscription: outlet.send(subscription: self)
        case .value(let value, for: let origin?): DeliveryOrigin.with(origin) { deliver(value) }
        case .value(let value, for: nil): DeliveryOrigin.none { deliver(value) }
        case .completion(let completion): outlet.finish(completion)
        }
    }
    private func deliver(_ value: Input) {
        let more = outlet.send(value)
        if more != .none { request(more) }
    }
    @usableFromInline override func request(_ demand: Subscribers.Demand) { Stretch.begin { self.inlet.pass(demand) } }
    @usableFromInline override func cancel() {
        // Nothing is delivered from here on; the upstream hears of it when the stretch before this has returned.
        outlet.close()
        Stretch.begin { self.inlet.cancel() }
    }
}

/// Runs what goes along a long chain one stretch after the other, in the order in which it was begun.
@usableFromInline enum Stretch {
    /// What one thread has still to begin.
    final class Line: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread looks at the rest. A task that has inherited the task-local
        // value runs on another thread, or when the line is closed.
        let thread = currentThread()
        var waiting = Queue<() -> Void>()
        var isOpen = true
    }
    @TaskLocal static var line: Line?
    /// How many erased publishers are called through at once: a small part of the smallest stack.
    @inlinable static var length: Int { 32 }
    /// Begins a stretch: now, or when the one that this is called from has returned.
    @usableFromInline static func begin(_ stretch: @escaping () -> Void) {
        if let line, line.thread == currentThread(), line.isOpen { return line.waiting.append(stretch) }
        let line = Line()
        $line.withValue(line) {
            stretch()
            while let next = line.waiting.popFirst() { next() }
            line.isOpen = false
        }
    }
    /// Subscribes to what lies behind a landing.
    @usableFromInline static func attach<Output, Failure: Error>(
        _ subscriber: AnySubscriber<Output, Failure>, to publisher: HiddenPublisher<Output, Failure>
    ) { begin { publisher.attach(publisher, AnySubscriber(Landing(subscriber))) } }
}

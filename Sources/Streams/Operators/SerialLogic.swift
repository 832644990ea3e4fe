import Synchronization

/// The logic of operators that subscribe to one upstream after another: `append`, `catch`, `retry` and `replaceEmpty`. The demand
/// that is still open is requested from each.
@usableFromInline struct SerialLogic<Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Serial = FanIn<SerialLogic>
    /// Returns what follows the current upstream, given its error if it has failed. Called by the owner.
    @usableFromInline typealias End = ((any Error)?, Serial) -> Next

    @usableFromInline enum Next {
        /// The completion, with the error if there is one.
        case end((any Error)?)
        /// Another upstream, or a pause, and its end.
        case upstream(End)
    }

    @usableFromInline enum Input {
        case value(Downstream.Input)
        /// The current upstream has turned out to be one with another appended.
        case appended((Serial) -> Void)
        /// The current upstream has been subscribed to.
        case subscribed
    }

    /// True if a value that was not requested traps. Otherwise it is dropped.
    @usableFromInline let isStrict: Bool
    @usableFromInline var end: End
    /// Make the publishers that are appended to the current upstream the next one; the last is the first. A failure skips them.
    @usableFromInline var following: [(Serial) -> Void] = []
    /// True until the current upstream has been subscribed to.
    @usableFromInline var isSubscribing = true
    /// The completion of the current upstream, if it has ended before that call has returned: then the next one is subscribed to,
    /// so that a long row of upstreams needs no stack.
    @usableFromInline var ended: Subscribers.Completion<any Error>?

    @inlinable init(isStrict: Bool, end: @escaping End) {
        self.isStrict = isStrict
        self.end = end
    }

    @inlinable
    static func takesOver<Value, Failure>(_ appended: Any, from source: FanInSource<Value, Failure, SerialLogic>) -> Bool {
        guard let publisher = appended as? AnyPublisher<Value, Failure> else { return false }
        source.fanIn.post(.value(.appended { [make = source.make] in $0.follow(publisher, as: make) }, from: nil))
        return true
    }

    @inlinable mutating func receive(_ input: Input, from source: SubscriptionSlot?, in serial: Serial) -> Completion? {
        switch input {
        case .value(let value): if serial.demand == .none { refuse(in: serial) } else { serial.deliver(value) }
        case .appended(let follow): following.append(follow)
        case .subscribed:
            isSubscribing = false
            return goOn(in: serial)
        }
        return nil
    }

    @inlinable @inline(never) func refuse(in serial: Serial) {
        precondition(
            !isStrict || serial.isClosed.load(ordering: .acquiring),
            "\(serial.name) got a value that was not requested: its upstream must send no more than request(_:) asks for")
    }

    @inlinable mutating func ended(_ source: SubscriptionSlot?, _ error: (any Error)?, in serial: Serial) -> Completion? {
        if let source { serial.sources.forget(source) }
        ended = error.map { .failure($0) } ?? .finished
        return goOn(in: serial)
    }

    /// Continues with the next upstream if the current one has ended, unless the downstream has cancelled.
    @inlinable mutating func goOn(in serial: Serial) -> Completion? {
        guard !isSubscribing, !serial.isClosed.load(ordering: .acquiring), let end = ended.take() else { return nil }
        let error = end.error
        if error != nil { following = [] }
        if let follow = following.popLast() {
            follow(serial)
        } else {
            switch self.end(error, serial) {
            case .end(let error): return error.map { .failure(convert($0)) } ?? .finished
            case .upstream(let end): self.end = end
            }
        }
        isSubscribing = serial.later != nil
        if isSubscribing { serial.next = .value(.subscribed, from: nil) }
        return nil
    }
}

extension FanIn {
    /// Subscribes to the first of several upstreams, and sends the values of all of them to a downstream.
    ///
    /// - Parameters:
    ///   - upstream: The first upstream.
    ///   - downstream: The downstream.
    ///   - name: The description of the subscription.
    ///   - isStrict: Whether a value that was not requested traps, and a request for no values, too.
    ///   - returnsDemand: Whether the demand that the downstream returns is returned to the upstream.
    ///   - make: Makes an input of a value.
    ///   - end: Returns what follows `upstream`.
    @inlinable @inline(__always) @discardableResult convenience init<P: Publisher, D>(
        serving upstream: P, to downstream: D, named name: StaticString, isStrict: Bool = true, returnsDemand: Bool = true,
        as make: @escaping (P.Output) -> Logic.Input = { .value($0) }, atEnd end: @escaping Logic.End
    ) where Logic == SerialLogic<D>, P.Output == D.Input {
        self.init(
            SerialLogic(isStrict: isStrict, end: end), downstream, named: name, passesNothing: !isStrict,
            returnsDemand: returnsDemand)
        follow(upstream, starts: true, as: make)
        post(.value(.subscribed, from: nil))
    }

    /// Makes a publisher the next upstream. The previous one must have ended.
    ///
    /// - Parameters:
    ///   - upstream: The publisher.
    ///   - end: Returns what follows it.
    @inlinable func follow<P: Publisher, D>(_ upstream: P, atEnd end: @escaping Logic.End) -> Logic.Next
    where Logic == SerialLogic<D>, P.Output == D.Input {
        follow(upstream) { .value($0) }
        return .upstream(end)
    }
}

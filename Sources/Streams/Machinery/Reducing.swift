extension Publishers {
    /// A publisher that takes all values of its upstream, or as many as it needs, and sends one result.
    public struct Reducing<Upstream: Publisher, Output, Thrown: Error, Failure: Error>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let initial: Output?
        @usableFromInline let step: @Sendable (inout Output?, Upstream.Output) throws(Thrown) -> Bool

        /// Creates an operator. The errors of the closure and of the upstream must be of the failure type, or convert to it.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - name: The description of the subscription.
        ///   - initial: The result if there are no values; nil for none.
        ///   - step: Changes the result so far; returns whether it needs more values.
        @inlinable init(
            _ upstream: Upstream, named name: StaticString, _ initial: Output?,
            step: @escaping @Sendable (inout Output?, Upstream.Output) throws(Thrown) -> Bool
        ) {
            self.upstream = upstream
            self.name = name
            self.initial = initial
            self.step = step
        }

        @inlinable @inline(__always) package func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
            let logic = ReducingLogic<Upstream.Output, Thrown, S>(initial, step: step)
            FanIn(logic, subscriber, named: name).attach(upstream, asking: .unlimited, isStrict: true, starts: true) { $0 }
        }
    }
}

extension Publishers.Reducing: Sendable where Upstream: Sendable, Output: Sendable {}

/// The logic of an operator that takes all values of its upstream, or as many as it needs, and sends one result at the end, when it
/// is requested.
@usableFromInline struct ReducingLogic<Input, Thrown: Error, Downstream: Subscriber>: FanInLogic {
    @usableFromInline var result: Downstream.Input?
    @usableFromInline let step: (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    /// True once no value can change the result.
    @usableFromInline var isOver = false

    @inlinable init(
        _ initial: Downstream.Input?, step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) {
        result = initial
        self.step = step
    }

    @inlinable mutating func receive(_ input: Input, from source: SubscriptionSlot?, in fanIn: FanIn<Self>) -> Completion? {
        do throws(Thrown) {
            if try step(&result, input) { return nil }
        } catch { return .failure(convert(error)) }
        source?.inlet.cancel()
        return end(in: fanIn)
    }

    @inlinable
    mutating func ended(_ source: SubscriptionSlot?, _ error: (any Error)?, in fanIn: FanIn<Self>) -> Completion? {
        error.map { .failure(convert($0)) } ?? end(in: fanIn)
    }

    @inlinable mutating func requested(in fanIn: FanIn<Self>) -> Completion? { isOver ? end(in: fanIn) : nil }

    /// Sends the result, if there is any and it is requested.
    ///
    /// - Returns: The completion; nil while the result waits.
    @inlinable mutating func end(in fanIn: FanIn<Self>) -> Completion? {
        isOver = true
        if fanIn.demand == .none, result != nil { return nil }
        if let value = result.take() { fanIn.deliver(value) }
        return .finished
    }
}

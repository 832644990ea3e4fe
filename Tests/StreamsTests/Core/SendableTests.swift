import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Conditional `Sendable` conformances")
struct SendableTests {
    /// Compiles only for `Sendable` values.
    private func requireSendable<Value: Sendable>(_ value: Value) -> Value { value }

    @Test("Sources, subjects and cancellables are `Sendable`")
    func sources() {
        let just = requireSendable(Just(1))
        expectEqual(just.output, 1)
        _ = requireSendable(Empty<Int, Oops>())
        _ = requireSendable(Fail<Int, Oops>(error: .first))
        _ = requireSendable(Deferred { Just(1) })
        _ = requireSendable(Future<Int, Oops> { _ in })
        _ = requireSendable([1].publisher)
        _ = requireSendable(PassthroughSubject<Int, Oops>())
        _ = requireSendable(CurrentValueSubject<Int, Oops>(1))
        _ = requireSendable(AnyCancellable {})
        _ = requireSendable(AnyPublisher(Just(1)))
        _ = requireSendable(AnySubscriber<Int, Oops>())
        _ = requireSendable(Subscribers.Completion<Oops>.finished)
    }

    @Test("Operators on `Sendable` publishers are `Sendable`")
    func operators() {
        let numbers = OperatorCase.sequence([1])
        _ = requireSendable(numbers.map { $0 }.filter { $0 > 0 }.compactMap { $0 }.scan(0, +))
        _ = requireSendable(numbers.removeDuplicates().prefix(1).first().first { $0 > 0 })
        _ = requireSendable(numbers.append(1).prepend(2))
        _ = requireSendable(numbers.merge(with: Empty(), numbers.first()))
        _ = requireSendable(Publishers.MergeMany(numbers, numbers))
        _ = requireSendable(numbers.flatMap { _ in Empty<Int, Oops>() })
        _ = requireSendable(numbers.handleEvents().print())
        _ = requireSendable(numbers.receive(on: DispatchQueue.main).delay(for: 1, scheduler: DispatchQueue.main))
        _ = requireSendable(numbers.multicast { PassthroughSubject() })
        _ = requireSendable(numbers.share())
    }
}

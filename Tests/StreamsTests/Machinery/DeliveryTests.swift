import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("The decisions of a delivery")
struct DeliveryTests {
    private enum Failed: Error {
        case once
    }

    /// A delivery that a thread has subscribed to. The threads of these tests are numbers.
    private func started(requesting demand: Subscribers.Demand = .none) -> Delivery<Int, Failed> {
        var delivery = Delivery<Int, Failed>(on: 1)
        expectEqual(delivery.request(demand, on: 1).text, "idle")
        expectEqual(delivery.start().text, "idle")
        return delivery
    }

    @Test("Requests and values that arrive while a thread subscribes wait until it has")
    func starting() {
        var delivery = Delivery<Int, Failed>(on: 1)
        expectEqual(delivery.request(.max(1), on: 1).text, "idle")
        expectEqual(delivery.enqueue(7, on: 1).text, "idle")
        expectEqual(delivery.start().text, "send 7")
        expectEqual(delivery.next().text, "idle")
    }

    @Test("A value is sent when it is requested, and kept until then")
    func requesting() {
        var delivery = started()
        expectEqual(delivery.enqueue(1, on: 1).text, "idle")
        expectEqual(delivery.enqueue(2, on: 1).text, "idle")
        expectEqual(delivery.request(.max(1), on: 1).text, "send 1")
        expectEqual(delivery.next().text, "idle")
        expectEqual(delivery.request(.max(2), on: 1).text, "send 2")
        expectEqual(delivery.next().text, "idle")
        expectEqual(delivery.enqueue(3, on: 1).text, "send 3")
        expectEqual(delivery.next(adding: .max(1)).text, "idle")
        expectEqual(delivery.enqueue(4, on: 1).text, "send 4")
    }

    @Test("The sending thread sends the values that it adds meanwhile")
    func inside() {
        var delivery = started(requesting: .unlimited)
        expectEqual(delivery.enqueue(1, on: 1).text, "send 1")
        expectEqual(delivery.enqueue(2, on: 1).text, "idle")
        expectEqual(delivery.next().text, "send 2")
        expectEqual(delivery.next().text, "idle")
    }

    @Test("The sending thread hands over values of other threads, and its successor sends all values until its time slice ends")
    func handingOver() {
        var delivery = started(requesting: .unlimited)
        expectEqual(delivery.enqueue(1, on: 1).text, "send 1")
        expectEqual(delivery.enqueue(2, on: 2).text, "idle")
        expectEqual(delivery.next().text, "hand over")
        expectEqual(delivery.enqueue(3, on: 1).text, "idle")
        expectEqual(delivery.takeOver(on: 3).text, "send 2")
        expectEqual(delivery.enqueue(4, on: 2).text, "idle")
        expectEqual(delivery.next().text, "send 3")
        expectEqual(delivery.next(isLate: true).text, "hand over")
        expectEqual(delivery.takeOver(on: 4).text, "send 4")
        expectEqual(delivery.next(isLate: true).text, "idle")
        expectEqual(delivery.enqueue(5, on: 1).text, "send 5")
    }

    @Test("A request of another thread is handed over, too, unless it releases no value")
    func visiting() {
        var delivery = started(requesting: .max(1))
        expectEqual(delivery.enqueue(1, on: 1).text, "send 1")
        expectEqual(delivery.request(.max(1), on: 2).text, "idle")
        expectEqual(delivery.next().text, "idle")
        expectEqual(delivery.enqueue(2, on: 1).text, "send 2")
        expectEqual(delivery.next().text, "idle")
    }

    @Test("The completion follows the last value, and needs no demand")
    func finishing() {
        var delivery = started()
        expectEqual(delivery.enqueue(1, on: 1).text, "idle")
        expectEqual(delivery.finish(.finished, on: 1).action.text, "idle")
        expectEqual(delivery.enqueue(2, on: 1).text, "idle")
        expectEqual(delivery.request(.max(1), on: 1).text, "send 1")
        expectEqual(delivery.next().text, "finish")
        var empty = started()
        expectEqual(empty.finish(.finished, on: 1).action.text, "finish")
    }

    @Test("A last value is followed by the completion")
    func last() {
        var delivery = started(requesting: .max(1))
        expectEqual(delivery.enqueueLast(1, on: 1).text, "send 1")
        expectEqual(delivery.next().text, "finish")
        var waiting = started()
        expectEqual(waiting.enqueueLast(1, on: 1).text, "idle")
        expectEqual(waiting.request(.max(1), on: 2).text, "send 1")
        expectEqual(waiting.next().text, "finish")
    }

    @Test("A failure replaces the waiting values, and a second completion is ignored")
    func failing() {
        var delivery = started()
        expectEqual(delivery.enqueue(1, on: 1).text, "idle")
        let (action, dropped) = delivery.finish(.failure(.once), on: 1)
        expectEqual(action.text, "fail")
        expectEqual(dropped.count, 1)
        expectEqual(delivery.finish(.finished, on: 1).action.text, "idle")
    }

    @Test("A failure can wait for the values that are requested, or for those of the next request")
    func failingLate() {
        var delivery = started(requesting: .max(2))
        expectEqual(delivery.enqueue(1, on: 1).text, "send 1")
        for value in 2...3 { expectEqual(delivery.enqueue(value, on: 1).text, "idle") }
        expectEqual(delivery.failAfterRequested(.once, on: 1).text, "idle")
        expectEqual(delivery.next().text, "send 2")
        expectEqual(delivery.next().text, "fail")

        var waiting = started()
        for value in 1...2 { expectEqual(waiting.enqueue(value, on: 1).text, "idle") }
        expectEqual(waiting.failAfterRequested(.once, on: 1).text, "idle")
        expectEqual(waiting.request(.max(1), on: 1).text, "send 1")
        expectEqual(waiting.next().text, "fail")

        var empty = started()
        expectEqual(empty.failAfterRequested(.once, on: 1).text, "fail")
    }

    @Test("A cancellation returns the kept values once, and nothing is sent afterwards")
    func cancelling() {
        var delivery = started()
        expectEqual(delivery.enqueue(1, on: 1).text, "idle")
        let kept = delivery.cancel()
        expectEqual(kept?.values.count, 1)
        expect(delivery.cancel() == nil)
        expectEqual(delivery.request(.unlimited, on: 1).text, "idle")
        expectEqual(delivery.enqueue(2, on: 1).text, "idle")
        expectEqual(delivery.finish(.finished, on: 1).action.text, "idle")
        expectEqual(delivery.failAfterRequested(.once, on: 1).text, "idle")
    }

    @Test("After a cancellation, the sending thread has nothing to send")
    func cancellingInside() {
        var delivery = started(requesting: .unlimited)
        expectEqual(delivery.enqueue(1, on: 1).text, "send 1")
        expectEqual(delivery.enqueue(2, on: 1).text, "idle")
        expectEqual(delivery.cancel()?.values.count, 1)
        expectEqual(delivery.next().text, "idle")

        var starting = Delivery<Int, Failed>(on: 1)
        expect(starting.cancel() != nil)
        expectEqual(starting.start().text, "idle")
    }
}

extension Delivery.Action {
    fileprivate var text: String {
        switch self {
        case .send(let value): "send \(value)"
        case .finish(.finished): "finish"
        case .finish(.failure): "fail"
        case .handOver: "hand over"
        case .refill: "refill"
        case .idle: "idle"
        }
    }
}

import MoonlightTestSupport
import Streams
import Testing

@Suite("`Subscribers.Sink` and `Subscribers.Assign`")
struct SinkObjectTests {
    private final class Lamp {
        var level = 0
        let token: Token?
        init(_ token: Token? = nil) { self.token = token }
    }

    @Test("A sink requests everything, and passes on values and the completion")
    func sink() {
        var (values, ends): ([Int], Int) = ([], 0)
        let sink = Subscribers.Sink<Int, Oops>(
            receiveCompletion: { _ in ends += 1 }, receiveValue: { values.append($0) })
        let probe = Probe<Int, Oops>()
        probe.subscribe(sink)
        expectEqual(probe.requests, [.unlimited])
        probe.send(1)
        sink.receiveValue(2)
        probe.send(completion: .finished)
        sink.receiveCompletion(.finished)
        _ = sink.receive(3)
        expectEqual(values, [1, 2])
        expectEqual(ends, 1)
        expectEqual(sink.description, "Sink")
    }

    @Test("A sink cancels a second subscription, and one after its end")
    func oneSubscription() {
        let sink = Subscribers.Sink<Int, Oops>(receiveCompletion: { _ in }, receiveValue: { _ in })
        let (first, second, third) = (Probe<Int, Oops>(), Probe<Int, Oops>(), Probe<Int, Oops>())
        first.subscribe(sink)
        second.subscribe(sink)
        expect((first.cancellations, second.cancellations) == (0, 1))
        sink.cancel()
        sink.cancel()
        third.subscribe(sink)
        expect((first.cancellations, third.cancellations) == (1, 1))
        expectEqual(third.requests, [])
    }

    @Test("A sink that has ended retains neither its closures nor its subscription", arguments: [false, true])
    func sinkLetsGo(isCancelled: Bool) {
        weak var token: Token?
        let probe = Probe<Int, Oops>()
        let sink: Subscribers.Sink<Int, Oops>
        do {
            let captured = Token()
            token = captured
            sink = Subscribers.Sink(receiveCompletion: { _ in _ = captured }, receiveValue: { _ = captured.pass($0) })
        }
        probe.subscribe(sink)
        expect(token != nil)
        if isCancelled { sink.cancel() } else { probe.send(completion: .failure(.first)) }
        expect(token == nil)
        expect(!probe.isSubscriptionAlive)
    }

    private final class Watched: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    @Test("A sink or an assign that is released before its end releases its subscription")
    func releasedWithItsSubscription() {
        weak var (ofSink, ofAssign): (Watched?, Watched?)
        do {
            let sink = Subscribers.Sink<Int, Oops>(receiveCompletion: { _ in }, receiveValue: { _ in })
            let assign = Subscribers.Assign(object: Lamp(), keyPath: \.level)
            let (first, second) = (Watched(), Watched())
            (ofSink, ofAssign) = (first, second)
            sink.receive(subscription: first)
            assign.receive(subscription: second)
        }
        expect(ofSink == nil)
        expect(ofAssign == nil)
    }

    @Test("A sink that is cancelled during a delivery receives no other value")
    func cancelInside() {
        var values: [Int] = []
        var sink: Subscribers.Sink<Int, Never>?
        sink = Subscribers.Sink(
            receiveCompletion: { _ in Issue.record("completed") },
            receiveValue: {
                values.append($0)
                sink?.cancel()
            })
        if let sink { [1, 2].publisher.subscribe(sink) }
        expectEqual(values, [1])
        sink = nil
    }

    @MainActor
    @Test("The closures of a sink that is formed on an actor run on that actor, in order")
    func isolated() async throws {
        let label = Lamp()
        var levels: [Int] = []
        let subject = PassthroughSubject<Int, Never>()
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { levels.append($0) })
        let assign = Subscribers.Assign(object: label, keyPath: \.level)
        subject.subscribe(sink)
        subject.subscribe(assign)
        await Task.detached {
            subject.send(1)
            subject.send(2)
        }.value
        try await until { levels.count >= 2 && label.level >= 2 }
        subject.send(3)
        expectEqual(levels, [1, 2, 3])
        expectEqual(label.level, 3)
    }

    @Test("An assign writes values from its subscription until its end, and then releases its object")
    func assign() {
        weak var token: Token?
        let probe = Probe<Int, Never>()
        let assign: Subscribers.Assign<Lamp, Int>
        do {
            let captured = Token()
            token = captured
            let lamp = Lamp(captured)
            assign = Subscribers.Assign(object: lamp, keyPath: \.level)
            expectEqual(assign.description, "Assign Lamp.")
            _ = assign.receive(1)
            expectEqual(lamp.level, 0)
            probe.subscribe(assign)
            probe.send(2)
            expectEqual(lamp.level, 2)
            expect(assign.object === lamp)
            expectEqual(assign.keyPath, \.level)
            probe.send(completion: .finished)
            _ = assign.receive(3)
            expectEqual(lamp.level, 2)
            expect(assign.object == nil)
        }
        expect(token == nil)
        assign.cancel()
    }

    @Test("A cancelled assign cancels its subscription and releases its object")
    func assignCancelled() {
        weak var token: Token?
        let probe = Probe<Int, Never>()
        let assign: Subscribers.Assign<Lamp, Int>
        do {
            let captured = Token()
            token = captured
            assign = Subscribers.Assign(object: Lamp(captured), keyPath: \.level)
        }
        probe.subscribe(assign)
        assign.cancel()
        expectEqual(probe.cancellations, 1)
        expect(token == nil)
        expect(assign.object == nil)
    }

    @Test("`sinkValue` receives the values of a publisher that can fail, and ignores its completion")
    func sinkValue() {
        let probe = Probe<Int, Oops>()
        var values: [Int] = []
        let cancellable = probe.sinkValue { values.append($0) }
        probe.send(1)
        probe.send(completion: .failure(.first))
        expectEqual(values, [1])
        expect(!probe.isSubscriptionAlive)
        cancellable.cancel()
        expectEqual(probe.cancellations, 0)
    }
}

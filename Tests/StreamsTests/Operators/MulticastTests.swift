import MoonlightTestSupport
import Streams
import Testing

@Suite("`subscribe(_:)` of a subject; operators `makeConnectable`, `breakpoint`, `encode` and `decode`")
struct MulticastTests {
    @Test("A subject that is subscribed to a publisher requests everything once it has a subscriber, and passes on every event")
    func feeds() {
        let (probe, subject, recorder) = (Probe<Int, Oops>(), PassthroughSubject<Int, Oops>(), Recorder<Int, Oops>())
        let cancellable = probe.subscribe(subject)
        expectEqual(probe.requests, [])
        subject.subscribe(recorder)
        expectEqual(probe.requests, [.unlimited])
        probe.send(1)
        probe.send(completion: .failure(.second))
        expectEqual(recorder.values, [1])
        expectEqual(recorder.failure, .second)
        cancellable.cancel()
        expectEqual(probe.cancellations, 0)
    }

    @Test(
        "A subject receives the values of a publisher until the cancellable is cancelled or released", arguments: [false, true])
    func stops(cancels: Bool) {
        let (probe, subject) = (Probe<Int, Oops>(isDeaf: true), CurrentValueSubject<Int, Oops>(0))
        var cancellable: AnyCancellable? = probe.subscribe(subject)
        probe.send(1)
        if cancels { cancellable?.cancel() } else { cancellable = nil }
        probe.send(2)
        expectEqual(subject.value, 1)
        expectEqual(probe.cancellations, 1)
    }

    @Test("`makeConnectable` sends nothing until it is connected")
    func connectable() {
        let (probe, recorder) = (Probe<Int, Never>(), Recorder<Int, Never>())
        let connectable: Publishers.MakeConnectable<Probe<Int, Never>> = probe.makeConnectable()
        connectable.subscribe(recorder)
        expectEqual(probe.subscriptions, 0)
        let connection = connectable.connect()
        probe.sendOnDemand([1])
        expectEqual(recorder.values, [1])
        connection.cancel()
        expectEqual(probe.cancellations, 1)
    }

    @Test("The subscription of a multicast or a share is described as `Multicast`")
    func names() {
        let names = Log<String>()
        func name<P: Publisher<Int, Never>>(_ publisher: P) {
            publisher.handleEvents(receiveSubscription: { names.append("\($0)") }).subscribe(Recorder(.nothing))
        }
        let upstream = Empty<Int, Never>(completeImmediately: false)
        name(upstream.makeConnectable())
        name(upstream.makeConnectable().autoconnect())
        name(upstream.share())
        expectEqual(names.items, ["Multicast", "Multicast", "Multicast"])
    }

    @Test("`breakpoint` traps when its closure returns true, and only then")
    func breakpoint() async {
        let recorder = Recorder<Int, Oops>()
        OperatorCase.sequence([1]).breakpoint(
            receiveSubscription: { _ in false }, receiveOutput: { $0 > 1 }, receiveCompletion: { $0.error != nil }
        ).subscribe(recorder)
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
        await #expect(processExitsWith: .signal(5)) {
            OperatorCase.sequence([1, 2]).breakpoint(receiveOutput: { $0 > 1 }).subscribe(Recorder())
        }
        await #expect(processExitsWith: .signal(5)) {
            Fail<Int, Oops>(error: .first).breakpointOnError().subscribe(Recorder())
        }
        await #expect(processExitsWith: .signal(5)) {
            OperatorCase.sequence([1]).breakpoint(receiveSubscription: { _ in true }).subscribe(Recorder())
        }
    }

    @Test("`encode` and `decode` fail with the error that the coder throws, and cancel the upstream")
    func coding() {
        let probe = Probe<Int, Oops>()
        let text = Recorder<String, any Error>(Appetite(description: "", atStart: [.max(3)]))
        probe.encode(encoder: Plain(token: Token())).subscribe(text)
        expectEqual(probe.requests, [.max(3)])
        probe.send(12)
        probe.send(-1)
        probe.send(3)
        expectEqual(text.values, ["12"])
        expect(text.failure is Plain.Trouble)
        expectEqual(probe.cancellations, 1)
        let number = Recorder<Int, any Error>()
        ["4", "x", "5"].publisher.decode(type: Int.self, decoder: Plain(token: Token())).subscribe(number)
        expectEqual(number.values, [4])
        expect(number.failure is Plain.Trouble)
        let failed = Recorder<String, any Error>()
        Fail<Int, Oops>(error: .first).encode(encoder: Plain(token: Token())).subscribe(failed)
        expect(failed.failure as? Oops == .first)
    }
}

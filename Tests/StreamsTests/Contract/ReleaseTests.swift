import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 5: release")
struct ReleaseTests {
    /// The ways in which a run ends.
    enum End: CaseIterable { case finish, fail, cancel, cancelInside }

    private func recorder(for end: End) -> Recorder<Int, Oops> {
        Recorder { recorder, _ in if end == .cancelInside { recorder.cancel() } }
    }

    private func bring(_ end: End, to subject: PassthroughSubject<Int, Oops>, _ recorder: Recorder<Int, Oops>) {
        for value in [1, 2, 4, 5, 6] { subject.send(value) }
        switch end {
        case .finish: subject.send(completion: .finished)
        case .fail: subject.send(completion: .failure(.first))
        case .cancel: recorder.cancel()
        case .cancelInside: break
        }
    }

    @Test(
        "An operator that has ended releases its closures, even if its subscription is retained", arguments: OperatorCase.all,
        End.allCases
    )
    func closures(_ operation: OperatorCase, _ end: End) {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = recorder(for: end)
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            operation.apply(subject.eraseToAnyPublisher(), captured).subscribe(recorder)
        }
        bring(end, to: subject, recorder)
        expect(token == nil)
    }

    @Test(
        "An operator that has ended releases its upstream's subscription", arguments: OperatorCase.all.filter(\.isGuarded),
        End.allCases)
    func upstreamSubscription(_ operation: OperatorCase, _ end: End) {
        let probe = Probe<Int, Oops>()
        let recorder = recorder(for: end)
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.sendOnDemand([1, 2, 4, 5, 6])
        switch end {
        case .finish: probe.send(completion: .finished)
        case .fail: probe.send(completion: .failure(.first))
        case .cancel: recorder.cancel()
        case .cancelInside: break
        }
        expect(!probe.isSubscriptionAlive)
    }

    @Test("An operator that has ended releases its upstream subject", arguments: OperatorCase.all, End.allCases)
    func upstreamSubject(_ operation: OperatorCase, _ end: End) {
        let recorder = recorder(for: end)
        weak var upstream: PassthroughSubject<Int, Oops>?
        do {
            let subject = PassthroughSubject<Int, Oops>()
            upstream = subject
            operation.apply(subject.eraseToAnyPublisher(), Token()).subscribe(recorder)
            bring(end, to: subject, recorder)
        }
        expect(upstream == nil)
    }

    @Test("`collect` releases the values that it has collected, even if its subscription is retained")
    func collected() {
        let subject = PassthroughSubject<Token, Never>()
        let recorder = Recorder<[Token], Never>()
        subject.collect(3).subscribe(recorder)
        weak var token: Token?
        do {
            let sent = Token()
            token = sent
            subject.send(sent)
        }
        expect(token != nil)
        recorder.cancel()
        expect(token == nil)
    }

    @Test(
        "An operator that has ended releases its subscriber, even if its upstream is retained", arguments: OperatorCase.all,
        End.allCases)
    func subscriber(_ operation: OperatorCase, _ end: End) {
        let subject = PassthroughSubject<Int, Oops>()
        weak var subscriber: Recorder<Int, Oops>?
        do {
            let recorder = recorder(for: end)
            subscriber = recorder
            operation.apply(subject.eraseToAnyPublisher(), Token()).subscribe(recorder)
            bring(end, to: subject, recorder)
        }
        expect(subscriber == nil)
    }

    @Test("A source that has ended releases its subscriber", arguments: SourceCase.all)
    func sources(_ source: SourceCase) {
        for cancels in [false, true] {
            let publisher = source.make([1, 2, 3])
            weak var subscriber: Recorder<Int, Oops>?
            do {
                let recorder = Recorder<Int, Oops>(.nothing)
                subscriber = recorder
                publisher.subscribe(recorder)
                if cancels { recorder.cancel() } else { recorder.request(.unlimited) }
            }
            expect(subscriber == nil, "\(source)")
        }
    }

    @Test("A future releases its subscriber when it is fulfilled or the subscriber cancels")
    func future() {
        for cancels in [false, true] {
            let promises = Log<Future<Int, Oops>.Promise>()
            let future = Future<Int, Oops> { promises.append($0) }
            weak var subscriber: Recorder<Int, Oops>?
            do {
                let recorder = Recorder<Int, Oops>()
                subscriber = recorder
                future.subscribe(recorder)
                if cancels { recorder.cancel() } else { promises.items[0](.success(1)) }
            }
            expect(subscriber == nil)
        }
    }

    @Test("A sink that has ended releases its closures, even if its cancellable is retained", arguments: End.allCases)
    func sink(_ end: End) {
        let subject = PassthroughSubject<Int, Oops>()
        weak var token: Token?
        var cancellable: AnyCancellable?
        do {
            let captured = Token()
            token = captured
            cancellable = subject.sink {
                _ = captured.pass($0)
            } receiveValue: {
                _ = captured.pass($0)
            }
        }
        expect(token != nil)
        switch end {
        case .finish: subject.send(completion: .finished)
        case .fail: subject.send(completion: .failure(.first))
        case .cancel, .cancelInside: cancellable?.cancel()
        }
        expect(token == nil)
    }

    @Test("`assign(to:on:)` releases its object when it ends")
    func assign() {
        final class Box { var value = 0 }
        let subject = PassthroughSubject<Int, Never>()
        weak var box: Box?
        var cancellable: AnyCancellable?
        do {
            let object = Box()
            box = object
            cancellable = subject.assign(to: \.value, on: object)
        }
        subject.send(1)
        expectEqual(box?.value, 1)
        subject.send(completion: .finished)
        expect(box == nil)
        cancellable?.cancel()
    }
}

import Dispatch
import MoonlightTestSupport
import Streams
import Testing

/// Runs each operation on a thread or in a task of its own, since an endless loop or wait in the test itself could not be
/// reported.
@Suite("Termination of streams", .serialized)
struct TerminationTests {
    private let begun = Log<String>()
    private let heard = Log<Int>()

    private static func chain(_ length: Int, on source: some Publisher<Int, Never>) -> AnyPublisher<Int, Never> {
        (0..<length).reduce(AnyPublisher(source)) { chain, _ in chain.map { $0 }.eraseToAnyPublisher() }
    }

    @Test("Each operator over ready values ends, whatever is requested and when")
    func operators() {
        let ended = ends { [begun] in
            for each in OperatorCase.all {
                for appetite in Appetite.all {
                    begun.append("\(each), \(appetite)")
                    let recorder = Recorder<Int, Oops>(appetite)
                    each.apply(OperatorCase.sequence([1, 2, 3]).eraseToAnyPublisher(), Token()).subscribe(recorder)
                    recorder.requestLater()
                    recorder.cancel()
                }
            }
        }
        expect(ended, "\(begun.items.last ?? "")")
    }

    @Test("Each operator with time schedules nothing more on virtual time after its end")
    func timed() {
        let ended = ends { [begun] in
            for each in TimedCase.all {
                begun.append("\(each)")
                let (time, subject) = (VirtualTimeScheduler(), PassthroughSubject<Int, Oops>())
                let cancellable = each.apply(subject.eraseToAnyPublisher(), time).sink { _ in
                } receiveValue: { _ in
                }
                for value in 1...4 {
                    subject.send(value)
                    time.advance(by: .nanoseconds(value))
                }
                subject.send(completion: .finished)
                time.advance(by: .nanoseconds(100))
                cancellable.cancel()
            }
        }
        expect(ended, "\(begun.items.last ?? "")")
    }

    @Test("Timers fire in the order of their times, even if some are cancelled")
    func timers() {
        let ended = ends { [heard] in
            let time = VirtualTimeScheduler()
            var handles: [AnyCancellable] = []
            for number in 0..<40 {
                let date = TimePoint(offset: .nanoseconds(number * 17 % 40))
                handles.append(
                    AnyCancellable(time.schedule(after: date, interval: .seconds(1)) { heard.append(date.offset.nanoseconds) }))
            }
            for number in stride(from: 0, to: 40, by: 3) { handles[number].cancel() }
            time.advance(by: .nanoseconds(50))
        }
        expect(ended)
        let left = (0..<40).filter { $0 % 3 != 0 }.map { $0 * 17 % 40 }
        expectEqual(heard.items, left.sorted())
    }

    @Test("A subject delivers to subscribers that subscribe, send and cancel during deliveries")
    func subject() {
        let ended = ends { [heard] in
            for subject in [AnySubject(keepsCurrent: false), AnySubject(keepsCurrent: true)] {
                let (inner, outer) = (Keeper(), Keeper())
                let joins = Counter()
                outer.keep(
                    subject.publisher.sink { _ in
                    } receiveValue: { value in
                        heard.append(value)
                        if value == 1 {
                            inner.keep(
                                subject.publisher.handleEvents(receiveSubscription: { _ in
                                    // While it subscribes, its own thread and another one send.
                                    if joins.add() == 1 {
                                        subject.send(2)
                                        elsewhere { subject.send(3) }
                                        subject.send(4)
                                    }
                                }).sink { _ in
                                } receiveValue: {
                                    heard.append(10 * $0)
                                })
                        }
                        if value == 3 { outer.drop() }
                    })
                subject.send(1)
                settle()
                subject.send(5)
                subject.send(completion: .finished)
                settle()
            }
        }
        expect(ended)
        expectEqual(heard.items.filter { $0 < 10 }, [1, 2, 3, 0, 1, 2, 3])
        expectEqual(heard.items.filter { $0 == 50 }.count, 2)
    }

    @Test("Values that several threads send to one subject are delivered, and no thread is blocked")
    func threads() {
        let ended = ends { [heard] in
            let subject = PassthroughSubject<Int, Never>()
            let cancellable = subject.sink { value in
                heard.append(value)
                if value == 0 { onThreads(3) { number in for _ in 0..<50 { subject.send(number + 1) } } }
            }
            subject.send(0)
            settle()
            cancellable.cancel()
        }
        expect(ended)
        expectEqual(heard.items.count, 151)
    }

    @Test("A chain of many erased publishers delivers values that are sent during deliveries and by another thread")
    func longChain() {
        let ended = ends { [heard] in
            let probe = Probe<Int, Never>()
            let cancellable = Self.chain(100, on: probe).sink { value in
                heard.append(value)
                guard value == 1 else { return }
                for own in 2...4 { probe.send(own) }
                elsewhere { for other in 5...7 { probe.send(other) } }
                for own in 8...9 { probe.send(own) }
                _ = Self.chain(40, on: [10, 20].publisher).sink { heard.append($0) }
            }
            probe.send(1)
            settle()
            cancellable.cancel()
        }
        expect(ended)
        expectEqual(heard.items.sorted(), Array(1...10) + [20])
    }

    @Test("Values of an asynchronous sequence pass through `buffer` and `values`")
    func asynchronous() async {
        let ended = await endsInTask { [heard] in
            let numbers = AsyncStream<Int> { continuation in
                for number in 1...5 { continuation.yield(number) }
                continuation.finish()
            }
            for await number in numbers.publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).values {
                heard.append(number)
            }
            for await number in [6, 7].publisher.values { heard.append(number) }
        }
        expect(ended)
        expectEqual(heard.items, [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("`AsyncSequence.publisher` takes as many elements as are requested, and none after the cancellation")
    func asynchronousDemand() async {
        let numbers = AsyncStream<Int> { continuation in for number in 1...5 { continuation.yield(number) } }
        let ended = await endsInTask { [heard] in
            let came = Flag()
            let recorder = Recorder<Int, Never>(Appetite(description: "2, then 1", atStart: [.max(2)])) { recorder, number in
                heard.append(number)
                if number == 2 { came.raise() }
            }
            numbers.publisher.subscribe(recorder)
            await came.wait()
            recorder.request(.max(1))
            recorder.cancel()
        }
        expect(ended)
        expectEqual(heard.items.prefix(2), [1, 2])
        expect(heard.items.count <= 3)
    }

    @Test(
        "Timers of a queue and of clocks fire, and repeating ones can be cancelled",
        arguments: ["queue", "clock", "suspending clock", "manual clock"])
    func ringing(on kind: String) async {
        let ended = await endsInTask { [heard] in
            switch kind {
            case "queue": await Self.ring(on: DispatchQueue(label: "ringing"), every: .milliseconds(1), heard)
            case "clock": await Self.ring(on: ClockScheduler(ContinuousClock()), every: .milliseconds(1), heard)
            case "suspending clock": await Self.ring(on: ClockScheduler(SuspendingClock()), every: .milliseconds(1), heard)
            default:
                let clock = ManualClock()
                async let rung: Void = Self.ring(on: ClockScheduler(clock), every: .seconds(1), heard)
                for _ in 0..<3 {
                    await clock.sleepers(1)
                    clock.advance(by: .seconds(1))
                }
                await rung
            }
        }
        expect(ended)
        expectEqual(heard.items.prefix(3), [1, 2, 3])
    }

    private static func ring<S: Scheduler>(on scheduler: S, every span: S.SchedulerTimeType.Stride, _ heard: Log<Int>) async {
        let (keeper, rung) = (Keeper(), Flag())
        let date = scheduler.now.advanced(by: span)
        keeper.keep(
            AnyCancellable(
                scheduler.schedule(after: date, interval: span) {
                    heard.append(heard.items.count + 1)
                    if heard.items.count == 3 {
                        keeper.drop()
                        rung.raise()
                    }
                }))
        await rung.wait()
        // The last alarm may have fired before the token was stored.
        keeper.drop()
    }

    @Test(
        "An alarm resumes its task when its time has passed, even if the time is zero",
        arguments: [Duration.zero, .nanoseconds(1)])
    func alarmRings(span: Duration) async {
        for stopsWithTheSystem in [false, true] {
            let ended = await endsInTask {
                try? await ClockAlarm().wait(for: span, tolerance: .zero, stopsWithTheSystem: stopsWithTheSystem)
            }
            expect(ended)
        }
    }
}

import Dispatch
import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("DispatchQueue as a scheduler")
struct DispatchSchedulerTests {
    private let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    init() {
        queue = DispatchQueue(label: "tests")
        queue.setSpecific(key: key, value: true)
    }

    private var isHere: @Sendable () -> Bool { { [key] in DispatchQueue.getSpecific(key: key) == true } }

    @Test("A queue runs closures in order")
    func now() {
        let log = Log<Int>()
        for index in 0..<100 { queue.schedule { [isHere] in if isHere() { log.append(index) } } }
        queue.sync {}
        expectEqual(log.items, Array(0..<100))
    }

    @Test("The minimum tolerance of a queue and of virtual time is zero")
    func tolerance() {
        expectEqual(queue.minimumTolerance, 0)
        expectEqual(VirtualTimeScheduler().minimumTolerance, 0)
    }

    @Test("Points in a queue's time are ordered, and no point is less than itself")
    func order() {
        let points = [1_500, 1_600].map { DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: $0)) }
        expect(points[0] < points[1])
        expect(!(points[1] < points[0]))
        expect(!(points[0] < points[0]))
    }

    @Test("The last point in a queue's time before the distant future can be advanced in either direction")
    func lastPoint() {
        let last = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(Int.max)))
        expect(last.advanced(by: .seconds(-5)) < last)
        expectEqual(last.advanced(by: .seconds(5)).dispatchTime, .distantFuture)
    }

    @Test("Points in a queue's time can be members of a set, and have different hash values")
    func hashes() {
        let points = (1...100).map { DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: $0 * 1_000)) }
        let set = Set(points + points)
        expectEqual(set.count, 100)
        expect(set.contains(points[7]))
        expect(Set(points.map(\.hashValue)).count > 50)
    }

    @Test("A point in a queue's time is encoded as nanoseconds, and decoded again")
    func coding() throws {
        let points = [DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_500))]
        let data = try JSONEncoder().encode(points)
        expectEqual(String(decoding: data, as: UTF8.self), "[1500]")
        try expectEqual(JSONDecoder().decode([DispatchQueue.SchedulerTimeType].self, from: data), points)
    }

    @Test("A queue runs a closure no earlier than its time")
    func later() async {
        let (date, queue, isHere) = (queue.now.advanced(by: .milliseconds(1)), queue, isHere)
        let done = Flag()
        let ran = Log<Bool>()
        queue.schedule(after: date) {
            ran.append(isHere() && queue.now >= date)
            done.raise()
        }
        await done.wait()
        expectEqual(ran.items, [true])
    }

    @Test("A queue repeats a closure until it is cancelled")
    func repeating() {
        let log = Log<Int>()
        let third = Latch()
        let timer = queue.schedule(after: queue.now, interval: .microseconds(10)) {
            log.append(1)
            if log.items.count == 3 { third.open() }
        }
        third.wait()
        timer.cancel()
        queue.sync {}
        let count = log.items.count
        expect(count >= 3)
        queue.sync {}
        expectEqual(log.items.count, count)
    }

    @Test("A dispatch group waits for a closure that is scheduled with it")
    func group() {
        let group = DispatchGroup()
        let log = Log<Int>()
        queue.schedule(options: .init(group: group)) { log.append(1) }
        queue.schedule(after: queue.now.advanced(by: .milliseconds(1)), tolerance: 0, options: .init(group: group)) {
            log.append(2)
        }
        group.wait()
        expectEqual(log.items, [1, 2])
    }

    @Test("Points in a queue's time that are advanced by a stride are that stride apart")
    func time() {
        let now = queue.now
        expectEqual(now.distance(to: now.advanced(by: .seconds(2))), .seconds(2))
        expectEqual(now.advanced(by: .seconds(2)).distance(to: now), .seconds(-2))
        expect(now.advanced(by: TimeStride(nanoseconds: .max)) > now)
        expect(now.advanced(by: .milliseconds(1)) > now)
        expectEqual(now.distance(to: now), .zero)
        // No point in time is zero or negative, as zero is the present in Dispatch.
        let early = now.advanced(by: .nanoseconds(-Int(now.dispatchTime.uptimeNanoseconds) + 5))
        expectEqual(early.dispatchTime.uptimeNanoseconds, 5)
        expectEqual([4, 5, 6].map { early.advanced(by: .nanoseconds(-$0)).dispatchTime.uptimeNanoseconds }, [1, 1, 1])
    }

    @Test("`receive(on:)` delivers values and the completion on its queue")
    func receiveOn() async {
        let isHere = isHere
        let here = Log<Bool>()
        let done = Flag()
        [1, 2, 3].publisher.receive(on: queue).subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.unlimited) },
                receiveValue: { _ in
                    here.append(isHere())
                    return .none
                },
                receiveCompletion: { _ in
                    here.append(isHere())
                    done.raise()
                }))
        await done.wait()
        expectEqual(here.items, [true, true, true, true])
    }

    @Test("A scheduled closure can be cancelled, and its group then no longer waits for it")
    func once() {
        let group = DispatchGroup()
        let log = Log<Int>()
        let far = queue.now.advanced(by: .seconds(1_000))
        let taken = queue.schedule(once: far, tolerance: 0, options: .init(group: group)) { log.append(0) }
        let kept = queue.schedule(once: queue.now, tolerance: nil, options: .init(group: group)) { [isHere] in
            if isHere() { log.append(1) }
        }
        let soon = queue.schedule(once: nil, tolerance: nil, options: .init(group: group)) { log.append(2) }
        while log.items.count < 2 { queue.sync {} }
        taken?.cancel()
        kept?.cancel()
        expect(soon == nil)
        group.wait()
        expectEqual(log.items.sorted(), [1, 2])
    }

    @Test(
        "A cancelled closure of a queue is released, whether the queue is suspended or not", arguments: [false, true])
    func queueClosure(isBlocked: Bool) {
        let queue = DispatchQueue(label: "tests")
        if isBlocked { queue.suspend() }
        weak var token: Token?
        let cancellables: [any Cancellable]
        do {
            let captured = Token()
            token = captured
            let date = queue.now.advanced(by: .seconds(3600))
            cancellables = [
                queue.schedule(once: date, tolerance: nil, options: nil) { captured.pass(()) } ?? AnyCancellable {},
                queue.schedule(after: date, interval: .seconds(3600)) { captured.pass(()) },
            ]
        }
        expect(token != nil)
        for cancellable in cancellables { cancellable.cancel() }
        expect(token == nil)
        if isBlocked { queue.resume() }
    }

    @Test("Strides convert to Dispatch intervals and back")
    func intervals() {
        for (interval, stride) in [
            (.seconds(2), .seconds(2)), (.milliseconds(2), .milliseconds(2)), (.microseconds(2), .microseconds(2)),
            (.nanoseconds(2), .nanoseconds(2)), (.never, .nanoseconds(.max)),
        ] as [(DispatchTimeInterval, TimeStride)] {
            expectEqual(TimeStride(interval), stride)
        }
        expectEqual(TimeStride.seconds(1).timeInterval, .nanoseconds(1_000_000_000))
        expect((0.25 as TimeStride) == .milliseconds(250))
    }
}

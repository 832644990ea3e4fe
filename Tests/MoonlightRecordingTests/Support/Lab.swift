import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

/// A program whose events select its work: a call, or a stream, with operators that wait, repeat and time out.
struct Lab: Equatable, Sendable, Codable {
    /// The log of the work, in order.
    var log: [String] = []
}

/// The work for an event.
struct Work: Equatable, Sendable, Codable {
    enum Source: Equatable, Sendable, Codable {
        /// A call, awaited in a body.
        case call
        /// A second call with the result of the first.
        case twoCalls
        /// A stream.
        case stream
    }

    enum Part: Equatable, Sendable, Codable {
        case retry(Int, milliseconds: Int)
        case delay(milliseconds: Int)
        case debounce(milliseconds: Int)
        case timeout(milliseconds: Int)
    }

    var number = 0
    var source = Source.call
    var parts: [Part] = []
    /// The job that it replaces; nil for work that nothing ends.
    var job: Int?
}

enum LabEvent: Equatable, Sendable, Codable {
    case works(Work)
    case stops(Int)
}

enum LabEffect: Equatable, Sendable, Codable {
    case gets(Int, Int)
    case fails(Int)
    case stopped(Int)
}

struct LabWorld: Sendable {
    var fetch: @Sendable (Int) async throws(Reason) -> Int
    var ticks: @Sendable (Int) -> AnyPublisher<Int, Reason>
    var scheduler: AnyScheduler<TimePoint, Never>
}

let fetch = Stub<Int, Int, Reason>("fetch")
let ticks = Stub<Int, Int, Reason>("ticks")

func labWorld(_ stubs: Stubs) -> LabWorld {
    LabWorld(
        fetch: stubs.async(fetch), ticks: stubs.publisher(ticks), scheduler: stubs.scheduler.eraseToAnyScheduler())
}

let lab = Reducer<Lab, LabEvent, LabEffect, LabWorld>(
    transform: { _, event, world in
        switch event {
        case .stops(let job): return AnyPublisher<LabEffect, Never>.cancelJob(job).append(.stopped(job)).eraseToAnyPublisher()
        case .works(let work):
            let effects = work.stream(world).map { LabEffect.gets(work.number, $0) }
                .catch { _ in Just(LabEffect.fails(work.number)) }
            guard let job = work.job else { return effects.eraseToAnyPublisher() }
            return effects.job(job, .latest).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Lab, effect: LabEffect) in state.log.append("\(effect)") })

extension Work {
    fileprivate func stream(_ world: LabWorld) -> AnyPublisher<Int, Reason> {
        let number = number
        var stream: AnyPublisher<Int, Reason> =
            switch source {
            case .call: .run { send throws(Reason) in send(try await world.fetch(number)) }
            case .twoCalls:
                .run { send throws(Reason) in send(try await world.fetch(1000 + (try await world.fetch(number)))) }
            case .stream: world.ticks(number)
            }
        for part in parts {
            switch part {
            case .retry(let count, let milliseconds):
                stream = stream.retry(count, scheduler: world.scheduler) { _, _ in .milliseconds(milliseconds) }
                    .eraseToAnyPublisher()
            case .delay(let milliseconds):
                stream = stream.delay(for: .milliseconds(milliseconds), scheduler: world.scheduler).eraseToAnyPublisher()
            case .debounce(let milliseconds):
                stream = stream.debounce(for: .milliseconds(milliseconds), scheduler: world.scheduler).eraseToAnyPublisher()
            case .timeout(let milliseconds):
                stream = stream.timeout(.milliseconds(milliseconds), scheduler: world.scheduler) { Reason.offline }
                    .eraseToAnyPublisher()
            }
        }
        return stream
    }
}

/// A store whose environment the test plays, on one thread and in virtual time.
final class LabStage: @unchecked Sendable {
    // Sound: a test uses it on one thread, on which its tasks run, too.
    let recording: Recording<Lab, LabEvent, LabEffect>
    let time: SlowClock
    private let executor: ManualExecutor
    private var running: Store<Lab, LabEvent>?
    private(set) var calls: [(number: Int, answer: CheckedContinuation<Result<Int, Reason>, Never>)] = []
    private(set) var streams: [(number: Int, subject: PassthroughSubject<Int, Reason>)] = []

    /// - Parameter isSlow: True to advance time whenever it is read.
    init(isSlow: Bool = false) {
        time = SlowClock(isSlow: isSlow)
        executor = ManualExecutor(time.base)
        recording = Recording(of: lab, keeping: .last(10_000), redacting: [], encodesByItself: false) { [time] in
            JournalRecord<Lab, LabEvent, LabEffect>.instant(at: time.present.offset.nanoseconds)
        }
        let world = LabWorld(
            fetch: recording.async("fetch") { [unowned self] (number: Int) async throws(Reason) -> Int in
                try await withCheckedContinuation { self.calls.append((number, $0)) }.get()
            },
            ticks: recording.publisher("ticks") { [unowned self] number in
                let subject = PassthroughSubject<Int, Reason>()
                streams.append((number, subject))
                return subject.eraseToAnyPublisher()
            },
            scheduler: recording.scheduler(time))
        var options = LoopOptions(name: "lab", journal: recording)
        options.clock = { [time] in time.present.offset.nanoseconds }
        perform { running = Store(reducer: lab, initialState: Lab(), environment: world, options: options) }
    }

    private func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            time.base.advance(by: 0)
        }
    }

    @discardableResult
    func send(_ event: LabEvent) -> Self {
        perform { _ = running?.send(event) }
        return self
    }

    @discardableResult
    func answer(at place: Int = 0, _ result: Result<Int, Reason>) -> Self {
        let call = calls.remove(at: place)
        perform { call.answer.resume(returning: result) }
        return self
    }

    func tick(_ value: Int, of place: Int) { perform { streams[place].subject.send(value) } }

    func end(of place: Int, _ completion: Subscribers.Completion<Reason>) {
        let stream = streams.remove(at: place)
        perform { stream.subject.send(completion: completion) }
    }

    @discardableResult
    func pass(_ duration: Duration) -> Self {
        perform { time.base.advance(by: duration) }
        return self
    }

    func end() {
        perform { running?.cancel() }
        while !calls.isEmpty { answer(.failure(.offline)) }
    }
}

/// The scheduler of a lab: virtual time that advances by a microsecond whenever it is read, as real time does.
final class SlowClock: Scheduler, Sendable {
    let base = VirtualTimeScheduler()
    private let isSlow: Bool
    private let reads = Lock(0)

    init(isSlow: Bool) { self.isSlow = isSlow }

    /// The time, read without an advance.
    var present: TimePoint {
        base.now.advanced(by: isSlow ? .microseconds(reads.withLock { $0 }) : .zero)
    }

    var now: TimePoint {
        if isSlow { reads.withLock { $0 += 1 } }
        return present
    }

    var minimumTolerance: TimeStride { base.minimumTolerance }

    /// Returns a time of this clock in that of the base, which does not advance when it is read.
    private func inBase(_ date: TimePoint) -> TimePoint { base.now.advanced(by: present.distance(to: date)) }

    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { base.schedule(options: nil, action) }

    func schedule(
        after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { base.schedule(after: inBase(date), tolerance: tolerance, options: nil, action) }

    func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        base.schedule(after: inBase(date), interval: interval, tolerance: tolerance, options: nil, action)
    }

    func schedule(
        once date: TimePoint?, tolerance: TimeStride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { base.schedule(once: date.map(inBase), tolerance: tolerance, options: nil, action) }
}

/// Plays a program at random: work, answers, failures and time in any order.
func randomLab(seed: Int, steps: Int = 30) -> LabStage {
    let stage = LabStage()
    var dice = Dice(seed)
    var number = 0
    func span() -> Int { Int.random(in: 1...40, using: &dice) }
    for _ in 0..<steps {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0...2:
            number += 1
            var work = Work(number: number)
            work.source = [.call, .call, .twoCalls, .stream].randomElement(using: &dice) ?? .call
            for _ in 0..<Int.random(in: 0...2, using: &dice) {
                work.parts.append(
                    [
                        .retry(Int.random(in: 1...3, using: &dice), milliseconds: span()), .retry(1, milliseconds: 0),
                        .delay(milliseconds: span()), .debounce(milliseconds: span()), .timeout(milliseconds: span()),
                    ].randomElement(using: &dice) ?? .delay(milliseconds: 1))
            }
            if Bool.random(using: &dice) { work.job = Int.random(in: 0...1, using: &dice) }
            stage.send(.works(work))
        case 3: stage.send(.stops(Int.random(in: 0...1, using: &dice)))
        case 4...7:
            guard !stage.calls.isEmpty else { continue }
            let place = Int.random(in: stage.calls.indices, using: &dice)
            stage.answer(
                at: place, Bool.random(using: &dice) ? .success(Int.random(in: 0...9, using: &dice)) : .failure(.offline))
        case 8:
            guard !stage.streams.isEmpty else { continue }
            stage.tick(Int.random(in: 0...9, using: &dice), of: Int.random(in: stage.streams.indices, using: &dice))
        case 9:
            guard !stage.streams.isEmpty else { continue }
            let place = Int.random(in: stage.streams.indices, using: &dice)
            stage.end(of: place, Bool.random(using: &dice) ? .finished : .failure(.busy(1)))
        default: stage.pass(.milliseconds(span()))
        }
    }
    return stage
}

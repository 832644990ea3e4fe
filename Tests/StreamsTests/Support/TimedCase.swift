import Streams

typealias Ticks = TimeStride

/// An operator with time, with an interval of two ticks, and its output for a script: the common tests run over all of them.
struct TimedCase: Sendable, CustomStringConvertible {
    let description: String
    /// Indicates whether it requests everything of its upstream, for any demand of the downstream.
    var asksForAll = true
    /// Applies the operator.
    let apply: @Sendable (Ints, VirtualTimeScheduler) -> AnyPublisher<String, Oops>
    /// Its values with their times, for given values with their times.
    let model: @Sendable ([Timed<Input>]) -> [Timed<Output>]

    enum Input: Equatable, Sendable {
        case value(Int)
        case finish, fail
    }
    enum Output: Equatable, Sendable {
        case value(String)
        case finish, fail
    }

    static let span = Ticks.nanoseconds(2)

    static let all = cases(span)

    /// The same with intervals that are zero, negative, or too long to be reached.
    static let unusual = [Ticks.zero, .nanoseconds(-2), .nanoseconds(.min), .seconds(Int.max), .nanoseconds(.max)].flatMap(cases)

    private static func cases(_ span: Ticks) -> [TimedCase] {
        // As in the models: at once, after a number of ticks, or after the end of every script.
        let ticks = min(max(span.nanoseconds, 0), 1000)
        return [
            TimedCase(description: "delay", asksForAll: false) { upstream, time in
                upstream.delay(for: span, scheduler: time).map { "\($0)" }.eraseToAnyPublisher()
            } model: { script in
                script.map { Timed($0.time + ticks, Output($0.event)) }
            },
            TimedCase(description: "receive(on:)", asksForAll: false) { upstream, time in
                upstream.receive(on: time).map { "\($0)" }.eraseToAnyPublisher()
            } model: { script in
                script.map { Timed($0.time, Output($0.event)) }
            },
            TimedCase(description: "measureInterval", asksForAll: false) { upstream, time in
                upstream.measureInterval(using: time).map { "\($0.nanoseconds)" }.eraseToAnyPublisher()
            } model: { script in
                var last = 0
                return script.map { timed in
                    defer { last = timed.time }
                    if case .value = timed.event { return Timed(timed.time, .value("\(timed.time - last)")) }
                    return Timed(timed.time, Output(timed.event))
                }
            },
            TimedCase(description: "debounce") { upstream, time in
                upstream.debounce(for: span, scheduler: time).map { "\($0)" }.eraseToAnyPublisher()
            } model: { script in
                script.indices.flatMap { index -> [Timed<Output>] in
                    let (timed, next) = (script[index], index + 1 < script.count ? script[index + 1] : nil)
                    guard case .value = timed.event else { return [Timed(timed.time, Output(timed.event))] }
                    let due = timed.time + ticks
                    return next.map { $0.time < due } ?? false ? [] : [Timed(due, Output(timed.event))]
                }
            },
            throttle(span, ticks, latest: false),
            throttle(span, ticks, latest: true),
            timeout("timeout", span, ticks, nil, .finish),
            timeout("timeout with an error", span, ticks, .second, .fail),
            collect("collect(.byTime)", span, ticks, nil),
            collect("collect(.byTimeOrCount)", span, ticks, 2),
        ].map { operation in
            let model = operation.model
            return TimedCase(
                description: span == Self.span ? operation.description : "\(operation.description), \(span)",
                asksForAll: operation.asksForAll, apply: operation.apply
            ) { script in
                model(script).filter { $0.time < 1000 }
            }
        }
    }

    private static func throttle(_ span: Ticks, _ ticks: Int, latest: Bool) -> TimedCase {
        TimedCase(description: "throttle, \(latest ? "latest" : "first")") { upstream, time in
            upstream.throttle(for: span, scheduler: time, latest: latest).map { "\($0)" }.eraseToAnyPublisher()
        } model: { script in
            var sent: [Timed<Output>] = []
            var waiting: Timed<Output>?
            for timed in script {
                if let turn = waiting, turn.time <= timed.time {
                    // Values that are due at once are sent before any other event.
                    sent.append(turn)
                    waiting = nil
                }
                switch timed.event {
                case .value:
                    if waiting == nil {
                        let earliest = sent.last.map { $0.time + ticks } ?? 0
                        waiting = Timed(max(timed.time, earliest), Output(timed.event))
                        if earliest <= timed.time { sent.append(waiting.take()!) }
                    } else if latest {
                        waiting?.event = Output(timed.event)
                    }
                case .finish, .fail:
                    let time = waiting?.time ?? timed.time
                    sent += [waiting, Timed(time, Output(timed.event))].compactMap { $0 }
                    return sent
                }
            }
            return sent + [waiting].compactMap { $0 }
        }
    }

    private static func timeout(
        _ name: String, _ span: Ticks, _ ticks: Int, _ error: Oops?, _ end: Output
    ) -> TimedCase {
        TimedCase(description: name, asksForAll: false) { upstream, time in
            upstream.timeout(span, scheduler: time, customError: error.map { error in { @Sendable in error } })
                .map { "\($0)" }.eraseToAnyPublisher()
        } model: { script in
            var sent: [Timed<Output>] = []
            var deadline = ticks
            for timed in script {
                if timed.time >= deadline { break }
                sent.append(Timed(timed.time, Output(timed.event)))
                guard case .value = timed.event else { return sent }
                deadline = timed.time + ticks
            }
            return sent + [Timed(deadline, end)]
        }
    }

    private static func collect(_ name: String, _ span: Ticks, _ ticks: Int, _ count: Int?) -> TimedCase {
        TimedCase(description: name, asksForAll: count == nil) { upstream, time in
            upstream.collect(count.map { .byTimeOrCount(time, span, $0) } ?? .byTime(time, span)).map { "\($0)" }
                .eraseToAnyPublisher()
        } model: { script in
            var sent: [Timed<Output>] = []
            var batch: [Int] = []
            var tick = ticks
            func send(_ time: Int) {
                if !batch.isEmpty { sent.append(Timed(time, .value("\(batch)"))) }
                batch = []
            }
            for timed in script {
                while tick <= timed.time {
                    send(tick)
                    tick += max(1, ticks)
                }
                switch timed.event {
                case .value(let value): batch.append(value)
                case .fail: return sent + [Timed(timed.time, .fail)]
                case .finish:
                    send(timed.time)
                    return sent + [Timed(timed.time, .finish)]
                }
                if batch.count == count { send(timed.time) }
            }
            send(tick)
            return sent
        }
    }

    /// All scripts of a few values, with gaps of up to three ticks, that finish, fail or continue.
    static func scripts(values: Int) -> [[Timed<Input>]] {
        var scripts: [[Timed<Input>]] = [[]]
        for length in 0...values {
            guard length > 0 else { continue }
            scripts += scripts.filter { $0.count == length - 1 }.flatMap { script in
                (0...3).map { script + [Timed((script.last?.time ?? 0) + $0, .value(length))] }
            }
        }
        return scripts.flatMap { script in
            [script]
                + (0...3).flatMap { gap in
                    [Input.finish, .fail].map { script + [Timed((script.last?.time ?? 0) + gap, $0)] }
                }
        }
    }
}

/// An event and its time in ticks.
struct Timed<Event: Equatable & Sendable>: Equatable, Sendable, CustomStringConvertible {
    var time: Int
    var event: Event
    init(_ time: Int, _ event: Event) {
        self.time = time
        self.event = event
    }
    var description: String { "\(time): \(event)" }
}

extension TimedCase.Output {
    init(_ input: TimedCase.Input) {
        switch input {
        case .value(let value): self = .value("\(value)")
        case .finish: self = .finish
        case .fail: self = .fail
        }
    }
}

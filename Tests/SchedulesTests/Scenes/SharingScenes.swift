import Streams
import Testing

extension Schedules {
    @Suite("Operators that share, recover and buffer") struct SharingScenes {
        typealias Passing = PassthroughSubject<Int, Oops>

        /// The number of subscriptions to a source, and of cancellations.
        private final class Counted: @unchecked Sendable {
            // Sound: one thread of a scene runs at a time, and the director orders them.
            let subject = Passing()
            var (begun, cancelled) = (0, 0)
            var publisher: AnyPublisher<Int, Oops> {
                subject.handleEvents(receiveSubscription: { _ in self.begun += 1 }, receiveCancel: { self.cancelled += 1 })
                    .eraseToAnyPublisher()
            }
        }

        @Test("Two simultaneous subscribers of a share use one subscription")
        func sharing() {
            explore { stage in
                let source = Counted()
                let shared = source.publisher.share()
                let (one, two) = (Watcher(stage, named: "the first"), Watcher(stage, named: "the second"))
                stage.thread { shared.subscribe(one) }
                stage.thread { shared.subscribe(two) }
                stage.afterwards { stage in
                    stage.expect(source.begun, is: 1, "subscriptions")
                    source.subject.send(1)
                    one.expect([1])
                    two.expect([1])
                    one.cancel()
                    stage.expect(source.cancelled, is: 0, "cancellations")
                    two.cancel()
                    stage.expect(source.cancelled, is: 1, "cancellations")
                }
            }
        }

        @Test("A subscriber of a share that subscribes while another one cancels is served, and no subscription remains")
        func leavingAndComing() {
            explore(preemptions: 3) { stage in
                let source = Counted()
                let shared = source.publisher.share()
                let (one, two) = (Watcher(stage, named: "leaving subscriber"), Watcher(stage, named: "new subscriber"))
                shared.subscribe(one)
                stage.thread { one.cancel() }
                stage.thread { shared.subscribe(two) }
                stage.afterwards { stage in
                    stage.expect(source.begun - source.cancelled, is: 1, "live subscriptions")
                    source.subject.send(1)
                    two.expect([1])
                    one.expect([])
                    two.cancel()
                    stage.expect(source.begun - source.cancelled, is: 0, "live subscriptions at the end")
                }
            }
        }

        @Test(
            "A subscriber of `share(replay:)` that subscribes while values arrive receives the last ones and each later one, once"
        )
        func replaying() {
            explore { stage in
                let source = Counted()
                let shared = source.publisher.share(replay: 2)
                let (one, two) = (Watcher(stage, named: "the first"), Watcher(stage, named: "new subscriber"))
                shared.subscribe(one)
                source.subject.send(1)
                stage.thread {
                    for value in [2, 3] { source.subject.send(value) }
                    source.subject.send(completion: .finished)
                }
                stage.thread { shared.subscribe(two) }
                stage.afterwards { stage in
                    one.expect([1, 2, 3])
                    two.expect(Array((1...3).suffix(two.values.count)))
                    stage.expect(two.values.count >= 2, "replayed only \(two.values)")
                    one.expectCompletion()
                    two.expectCompletion()
                }
            }
        }

        @Test("`autoconnect` connects once for two simultaneous subscribers, and disconnects after the last")
        func autoconnecting() {
            explore { stage in
                let source = Counted()
                let connected = source.publisher.multicast { Passing() }.autoconnect()
                let (one, two) = (Watcher(stage, named: "the first"), Watcher(stage, named: "the second"))
                stage.thread {
                    connected.subscribe(one)
                    one.cancel()
                }
                stage.thread { connected.subscribe(two) }
                stage.afterwards { stage in
                    stage.expect(source.begun - source.cancelled, is: 1, "live subscriptions")
                    source.subject.send(1)
                    two.expect([1])
                    two.cancel()
                    stage.expect(source.begun - source.cancelled, is: 0, "live subscriptions at the end")
                }
            }
        }

        @Test("The result of a future reaches a subscriber in any order, but not one that cancels")
        func future() {
            explore(preemptions: 3) { stage in
                let promise = Shared<(@Sendable (Result<Int, Oops>) -> Void)?>(nil)
                let future = Future<Int, Oops> { promise.value = $0 }
                let (stays, leaves) = (Watcher(stage, named: "remaining subscriber"), Watcher(stage, named: "leaving subscriber"))
                future.subscribe(leaves)
                stage.thread { promise.value?(.success(1)) }
                stage.thread { future.subscribe(stays) }
                stage.thread { leaves.cancel() }
                stage.afterwards { _ in
                    stays.expect([1])
                    stays.expectCompletion()
                    leaves.expectQuietAfterCancelling()
                    promise.value = nil
                }
            }
        }

        @Test("A retry that is cancelled while its upstream fails leaves nothing subscribed")
        func retrying() {
            explore(preemptions: 3) { stage in
                let sources = [Counted(), Counted()]
                let round = Shared(0)
                let watcher = Watcher(stage)
                Deferred {
                    defer { round.value += 1 }
                    return sources[round.value].publisher
                }.retry(1).subscribe(watcher)
                stage.thread {
                    sources[0].subject.send(1)
                    sources[0].subject.send(completion: .failure(Oops()))
                }
                stage.thread { watcher.cancel() }
                stage.afterwards { stage in
                    watcher.expectQuietAfterCancelling()
                    let second = sources[1]
                    stage.expect(second.begun, is: second.cancelled, "second subscriptions and their cancellations")
                    second.subject.send(2)
                    stage.expect(!watcher.values.contains(2), "a value after cancel()")
                }
            }
        }

        @Test("Values that are requested while `retry` subscribes again are requested from the new upstream")
        func askingWhileRetrying() {
            explore(preemptions: 3) { stage in
                let round = Shared(0)
                let first = Passing()
                let watcher = Watcher(stage, asking: .max(1))
                Deferred { () -> AnyPublisher<Int, Oops> in
                    defer { round.value += 1 }
                    return round.value == 0
                        ? first.eraseToAnyPublisher()
                        : [1, 2, 3].publisher.setFailureType(to: Oops.self).eraseToAnyPublisher()
                }.retry(1).subscribe(watcher)
                stage.thread { first.send(completion: .failure(Oops())) }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { _ in
                    watcher.expect([1, 2])
                    watcher.request(.max(1))
                    watcher.expect([1, 2, 3])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A buffer serves the requests of another thread with its values, once and in order")
        func buffering() {
            explore { stage in
                let subject = Passing()
                let watcher = Watcher(stage, asking: .none)
                subject.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest).subscribe(watcher)
                stage.thread {
                    for value in 1...3 { subject.send(value) }
                    subject.send(completion: .finished)
                }
                stage.thread { for _ in 0..<2 { watcher.request(.max(1)) } }
                stage.afterwards { _ in
                    watcher.expect([1, 2])
                    watcher.expectCompletion(nil)
                    watcher.request(.unlimited)
                    watcher.expect([1, 2, 3])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`reduce` delivers its result if the request comes before it or after it")
        func reducing() {
            explore(preemptions: 3) { stage in
                let subject = Passing()
                let watcher = Watcher(stage, asking: .none)
                subject.reduce(0, +).subscribe(watcher)
                stage.thread {
                    subject.send(1)
                    subject.send(completion: .finished)
                }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { _ in
                    watcher.expect([1])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A sequence that two threads request from sends each element once, in order")
        func pulling() {
            explore(preemptions: 3) { stage in
                let watcher = Watcher(stage, asking: .none)
                (1...4).publisher.setFailureType(to: Oops.self).subscribe(watcher)
                stage.thread { for _ in 0..<2 { watcher.request(.max(1)) } }
                stage.thread { for _ in 0..<2 { watcher.request(.max(1)) } }
                stage.afterwards { _ in
                    watcher.expect([1, 2, 3, 4])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A sequence that is cancelled while another thread requests sends nothing more")
        func cancellingSequence() {
            explore(preemptions: 3) { stage in
                let watcher = Watcher(stage, asking: .none)
                (1...4).publisher.setFailureType(to: Oops.self).subscribe(watcher)
                stage.thread { watcher.request(.max(2)) }
                stage.thread { watcher.cancel() }
                stage.afterwards { _ in watcher.expectQuietAfterCancelling() }
            }
        }

        @Test("An operator that is cancelled when its time is due sends nothing more", arguments: 0..<3)
        func timing(kind: Int) {
            explore { stage in
                let scheduler = VirtualTimeScheduler()
                let subject = Passing()
                let watcher = Watcher(stage)
                let timed: AnyPublisher<Int, Oops> =
                    switch kind {
                    case 0: subject.debounce(for: .seconds(1), scheduler: scheduler).eraseToAnyPublisher()
                    case 1: subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).eraseToAnyPublisher()
                    default: subject.delay(for: .seconds(1), scheduler: scheduler).eraseToAnyPublisher()
                    }
                timed.subscribe(watcher)
                for value in [1, 2] { subject.send(value) }
                stage.thread { scheduler.advance(by: .seconds(2)) }
                stage.thread { watcher.cancel() }
                stage.afterwards { _ in watcher.expectQuietAfterCancelling() }
            }
        }
    }
}

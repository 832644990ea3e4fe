import StreamLimits
import Streams
import Testing

extension Schedules {
    @Suite("Rate limits and circuit breakers") struct LimitScenes {
        /// The publishers that were subscribed to, and the times.
        private final class Begun: @unchecked Sendable {
            // Sound: one thread of a scene runs at a time, and the director orders them.
            let time = VirtualTimeScheduler()
            var times: [String: Int] = [:]

            func publisher(_ name: String) -> some Publisher<Int, Oops> {
                Empty<Int, Oops>(completeImmediately: false).handleEvents(receiveSubscription: { _ in
                    self.times[name] = self.time.now.offset.nanoseconds
                })
            }
        }

        @Test("One of two simultaneous subscriptions begins at once, and the other an interval later")
        func coming() {
            explore(preemptions: 3) { stage in
                let begun = Begun()
                let limiter = RateLimiter(count: 1, per: .nanoseconds(5), on: begun.time)
                for name in ["a", "b"] {
                    let watcher = Watcher(stage, named: name)
                    stage.thread { begun.publisher(name).limited(by: limiter).subscribe(watcher) }
                    stage.afterwards { stage in
                        begun.time.run()
                        stage.expect(begun.times.values.sorted(), is: [0, 5], "the times of their beginnings")
                        watcher.cancel()
                    }
                }
            }
        }

        @Test("One of two simultaneous subscriptions after an interval begins at once, and the other an interval later")
        func comingLater() {
            explore(preemptions: 3) { stage in
                let begun = Begun()
                let limiter = RateLimiter(count: 1, per: .nanoseconds(5), on: begun.time)
                let watchers = ["first", "a", "b"].map { Watcher(stage, named: $0) }
                begun.publisher("first").limited(by: limiter).subscribe(watchers[0])
                begun.time.advance(by: .nanoseconds(5))
                for watcher in watchers.dropFirst() {
                    stage.thread { begun.publisher(watcher.name).limited(by: limiter).subscribe(watcher) }
                }
                stage.afterwards { stage in
                    begun.time.run()
                    stage.expect(begun.times.values.sorted(), is: [0, 5, 10], "the times of their beginnings")
                    for watcher in watchers { watcher.cancel() }
                }
            }
        }

        @Test("No subscription is lost if one leaves the queue and another joins while a turn is due, and no timer remains")
        func leavingAndComing() {
            explore(preemptions: 2, limit: 1500) { stage in
                let begun = Begun()
                let limiter = RateLimiter(count: 1, per: .nanoseconds(5), on: begun.time)
                let watchers = ["first", "leaves", "waits", "comes"].map { Watcher(stage, named: $0) }
                for watcher in watchers[..<3] { begun.publisher(watcher.name).limited(by: limiter).subscribe(watcher) }
                stage.thread { begun.time.advance(by: .nanoseconds(5)) }
                stage.thread {
                    watchers[1].cancel()
                    begun.publisher("comes").limited(by: limiter).subscribe(watchers[3])
                }
                stage.afterwards { stage in
                    begun.time.run()
                    stage.expect(limiter.waiting, is: 0, "those that wait")
                    stage.expect(begun.time.pending, is: 0, "timers")
                    let times = begun.times.values.sorted()
                    stage.expect(Set(begun.times.keys).isSuperset(of: ["first", "waits", "comes"]), "begun: \(begun.times)")
                    stage.expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 5 }, "begun: \(begun.times)")
                    stage.expect(begun.times["waits"]! < begun.times["comes"]!, "overtaken: \(begun.times)")
                    for watcher in watchers { watcher.cancel() }
                }
            }
        }

        @Test("A subscription that is cancelled while it joins the queue does not remain in it")
        func cancelledComing() {
            explore(preemptions: 3) { stage in
                let begun = Begun()
                let limiter = RateLimiter(count: 1, per: .nanoseconds(5), on: begun.time)
                let (first, second) = (Watcher(stage, named: "the first"), Watcher(stage, named: "the second"))
                begun.publisher("first").limited(by: limiter).subscribe(first)
                stage.thread { begun.publisher("second").limited(by: limiter).subscribe(second) }
                stage.thread { second.cancel() }
                stage.afterwards { stage in
                    second.cancel()
                    stage.expect(limiter.waiting, is: 0, "those that wait")
                    stage.expect(begun.time.pending, is: 0, "timers")
                    first.cancel()
                }
            }
        }

        @Test("A breaker runs at most one trial, and continues if a trial is cancelled while another subscription arrives")
        func trials() {
            explore(preemptions: 3) { stage in
                let time = VirtualTimeScheduler()
                let breaker = CircuitBreaker(failures: 1, resetAfter: 0, on: time)
                let live = Shared(0)
                let most = Shared(0)
                let service = Empty<Int, Oops>(completeImmediately: false).handleEvents(
                    receiveSubscription: { _ in
                        live.value += 1
                        most.value = max(most.value, live.value)
                    }, receiveCancel: { live.value -= 1 })
                let asked = service.protected(by: breaker) { _ in Oops() }
                let watchers = ["one", "two", "three"].map { Watcher(stage, named: $0) }
                Fail<Int, Oops>(error: Oops()).protected(by: breaker) { _ in Oops() }.subscribe(Watcher(stage, named: "fails"))
                asked.subscribe(watchers[0])
                stage.thread { watchers[0].cancel() }
                stage.thread { asked.subscribe(watchers[1]) }
                stage.afterwards { stage in
                    stage.expect(most.value, is: 1, "trials at once")
                    watchers[1].cancel()
                    asked.subscribe(watchers[2])
                    stage.expect(live.value, is: 1, "trials under way")
                    watchers[2].cancel()
                }
            }
        }

        @Test("A trial that is cancelled while it begins or ends is returned to the breaker")
        func cancelledTrial() {
            explore(preemptions: 3) { stage in
                let breaker = CircuitBreaker(failures: 1, resetAfter: 0, on: VirtualTimeScheduler())
                let (one, two) = (Watcher(stage, named: "one"), Watcher(stage, named: "two"))
                Fail<Int, Oops>(error: Oops()).protected(by: breaker) { _ in Oops() }.subscribe(Watcher(stage, named: "fails"))
                stage.thread { Just(1).setFailureType(to: Oops.self).protected(by: breaker) { _ in Oops() }.subscribe(one) }
                stage.thread { one.cancel() }
                stage.afterwards { stage in
                    one.cancel()
                    Just(2).setFailureType(to: Oops.self).protected(by: breaker) { _ in Oops() }.subscribe(two)
                    two.expect([2])
                    stage.expect(breaker.state, is: .closed, "the state")
                }
            }
        }

        @Test("One of two subscriptions after the reset time is the trial, even if it fails at once")
        func failingTrials() {
            explore(preemptions: 3) { stage in
                let time = VirtualTimeScheduler()
                let breaker = CircuitBreaker(failures: 1, resetAfter: .nanoseconds(5), on: time)
                let begun = Shared(0)
                let service = Fail<Int, Oops>(error: Oops()).handleEvents(receiveSubscription: { _ in begun.value += 1 })
                    .protected(by: breaker) { _ in Oops() }
                service.subscribe(Watcher(stage, named: "fails"))
                time.advance(by: .nanoseconds(5))
                for name in ["one", "two"] {
                    let watcher = Watcher(stage, named: name)
                    stage.thread { service.subscribe(watcher) }
                }
                stage.afterwards { stage in
                    stage.expect(begun.value, is: 2, "requests")
                    stage.expect(breaker.state, is: .open, "the state")
                }
            }
        }

        @Test("States of a breaker arrive in order, whichever thread changes them")
        func states() {
            explore(preemptions: 3, limit: 1500) { stage in
                let breaker = CircuitBreaker(failures: 1, resetAfter: 0, on: VirtualTimeScheduler())
                let sent = Shared<[CircuitState]>([])
                let listening = breaker.states.sink { sent.value.append($0) }
                for fails in [true, false] {
                    stage.thread {
                        let answer: Result<Int, Oops> = fails ? .failure(Oops()) : .success(1)
                        answer.publisher.protected(by: breaker) { _ in Oops() }.subscribe(Watcher(stage, named: "\(fails)"))
                    }
                }
                stage.afterwards { stage in
                    let ways: [[CircuitState]] = [[.closed, .open], [.closed, .open, .halfOpen, .closed]]
                    stage.expect(ways.contains(sent.value), "sent: \(sent.value)")
                    stage.expect(sent.value.last, is: breaker.state, "the last state that was sent")
                    listening.cancel()
                }
            }
        }
    }
}

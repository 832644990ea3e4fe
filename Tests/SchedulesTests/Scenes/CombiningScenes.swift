import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("Operators with several upstreams") struct CombiningScenes {
        typealias Passing = PassthroughSubject<Int, Oops>

        @Test("`merge` passes on each value of two threads once, and ends when both have ended")
        func merging() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                let token = Token(stage)
                a.merge(with: b.map { token.pass($0) }).subscribe(watcher)
                stage.thread {
                    for value in [1, 2] { a.send(value) }
                    a.send(completion: .finished)
                }
                stage.thread {
                    b.send(101)
                    b.send(completion: .finished)
                }
                stage.afterwards { _ in
                    watcher.expectEach(of: [1, 2, 101])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`merge` serves the demand that three threads add")
        func mergingWithDemand() {
            explore { stage in
                let watcher = Watcher(stage, asking: .max(1))
                [1, 2].publisher.setFailureType(to: Oops.self).merge(with: [101, 102].publisher.setFailureType(to: Oops.self))
                    .subscribe(watcher)
                stage.thread { watcher.request(.max(1)) }
                stage.thread { watcher.request(.max(1)) }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { _ in
                    watcher.expectEach(of: [1, 2, 101, 102])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A merge that is cancelled while two threads send sends nothing more, and releases everything")
        func cancellingMerge() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                let token = Token(stage)
                a.map { token.pass($0) }.merge(with: b).subscribe(watcher)
                stage.thread { for value in [1, 2] { a.send(value) } }
                stage.thread { b.send(101) }
                stage.thread { watcher.cancel() }
                stage.afterwards { stage in
                    watcher.expectQuietAfterCancelling()
                    let before = watcher.values
                    a.send(3)
                    watcher.expect(before)
                }
            }
        }

        @Test("A merge whose upstreams fail and complete at the same time fails once, and sends nothing after that")
        func failingMerge() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                a.merge(with: b).subscribe(watcher)
                stage.thread {
                    a.send(1)
                    a.send(completion: .failure(Oops()))
                }
                stage.thread {
                    b.send(101)
                    b.send(completion: .finished)
                }
                stage.afterwards { _ in watcher.expectCompletion(.failure(Oops())) }
            }
        }

        @Test("`flatMap` runs one inner publisher at a time, even if they end on another thread")
        func flatMapping() {
            explore { stage in
                let outer = Passing()
                let inner = [Passing(), Passing()]
                let watcher = Watcher(stage)
                outer.buffer(size: 4, prefetch: .byRequest, whenFull: .dropNewest)
                    .flatMap(maxPublishers: .max(1)) { inner[$0] }.subscribe(watcher)
                outer.send(0)
                stage.thread {
                    outer.send(1)
                    outer.send(completion: .finished)
                }
                stage.thread {
                    inner[0].send(1)
                    inner[0].send(completion: .finished)
                }
                stage.afterwards { _ in
                    watcher.expect([1])
                    inner[1].send(2)
                    inner[1].send(completion: .finished)
                    watcher.expect([1, 2])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`flatMap` passes on each value of inner publishers that send on different threads")
        func flatMappingMany() {
            explore { stage in
                let outer = Passing()
                // The second publisher may be subscribed to after it was sent, by the thread that delivers the values of the
                // first.
                let inner = [AnySubject(keeps: false), AnySubject(keeps: true)]
                let watcher = Watcher(stage)
                outer.flatMap { inner[$0].publisher }.subscribe(watcher)
                outer.send(0)
                stage.thread { for value in [1, 2] { inner[0].send(value) } }
                stage.thread {
                    outer.send(1)
                    outer.send(completion: .finished)
                }
                stage.afterwards { stage in
                    stage.expect(watcher.values.sorted(), is: [0, 1, 2], "values")
                    stage.expect(watcher.values.filter { $0 > 0 }, is: [1, 2], "a sender's order")
                    watcher.expectCompletion(nil)
                    for subject in inner { subject.finish(.finished) }
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A `flatMap` that is cancelled while a new inner publisher arrives leaves none subscribed")
        func cancellingFlatMap() {
            explore { stage in
                let outer = Passing()
                let inner = Passing()
                let balance = Shared(0)
                let watcher = Watcher(stage)
                outer.flatMap { _ in
                    inner.handleEvents(
                        receiveSubscription: { _ in balance.value += 1 }, receiveCancel: { balance.value -= 1 })
                }.subscribe(watcher)
                stage.thread { for value in 0..<2 { outer.send(value) } }
                stage.thread { watcher.cancel() }
                stage.afterwards { stage in
                    stage.expect(balance.value, is: 0, "inner publishers still subscribed")
                    watcher.expectQuietAfterCancelling()
                    inner.send(1)
                    watcher.expect([])
                }
            }
        }

        @Test("`switchToLatest` sends at most the current value of the old publisher once a new one was sent")
        func switching() {
            explore { stage in
                let outer = PassthroughSubject<AnyPublisher<Int, Oops>, Oops>()
                let old = Passing()
                let switched = Shared(false)
                let late = Shared(0)
                let watcher = Watcher(stage) { value in
                    if value >= 100, switched.value { late.value += 1 }
                    return .none
                }
                outer.switchToLatest().subscribe(watcher)
                outer.send(old.eraseToAnyPublisher())
                stage.thread { for value in [101, 102] { old.send(value) } }
                stage.thread {
                    outer.send([1].publisher.setFailureType(to: Oops.self).eraseToAnyPublisher())
                    switched.value = true
                    outer.send(completion: .finished)
                }
                stage.afterwards { stage in
                    stage.expect(late.value <= 1, "\(late.value) of the old one's values after the switch")
                    stage.expect(watcher.values.contains(1), "lost the new one's value")
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`zip` pairs the values of two threads in order, and skips none")
        func zipping() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                a.zip(b) { $0 * 1_000 + $1 }.subscribe(watcher)
                stage.thread { for value in [1, 2] { a.send(value) } }
                stage.thread {
                    for value in [1, 2] { b.send(value) }
                    b.send(completion: .finished)
                }
                stage.afterwards { _ in
                    watcher.expect([1_001, 2_002])
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`combineLatest` ends with the last values of both threads")
        func combining() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                a.combineLatest(b) { $0 * 1_000 + $1 }.subscribe(watcher)
                stage.thread {
                    for value in [1, 2] { a.send(value) }
                    a.send(completion: .finished)
                }
                stage.thread {
                    for value in [1, 2] { b.send(value) }
                    b.send(completion: .finished)
                }
                stage.afterwards { stage in
                    stage.expect(watcher.values.last, is: 2_002, "the last pair")
                    stage.expect(watcher.values, is: watcher.values.sorted(), "pairs")
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`prefix(untilOutputFrom:)` sends at most the current value once the other publisher has sent")
        func cutting() {
            explore { stage in
                let (values, end) = (Passing(), Passing())
                let cut = Shared(false)
                let late = Shared(0)
                let watcher = Watcher(stage) { _ in
                    if cut.value { late.value += 1 }
                    return .none
                }
                let token = Token(stage)
                values.map { token.pass($0) }.prefix(untilOutputFrom: end).subscribe(watcher)
                stage.thread { for value in [1, 2] { values.send(value) } }
                stage.thread {
                    end.send(0)
                    cut.value = true
                }
                stage.afterwards { stage in
                    // One delivery had begun; its value may be the last that was sent before the other publisher's.
                    stage.expect(late.value <= 1, "\(late.value) values after the cut")
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A chain that is long enough to be split keeps each sender's order, and sends nothing once it is cancelled")
        func stretches() {
            explore { stage in
                let subject = Passing()
                let watcher = Watcher(stage)
                let token = Token(stage)
                var chain = subject.eraseToAnyPublisher()
                for _ in 0..<64 { chain = chain.map { token.pass($0) }.eraseToAnyPublisher() }
                chain.subscribe(watcher)
                stage.thread { for value in [1, 2] { subject.send(value) } }
                stage.thread { subject.send(101) }
                stage.thread { watcher.cancel() }
                stage.afterwards { stage in
                    watcher.expectQuietAfterCancelling()
                    watcher.expectSendersOrder()
                    let before = watcher.values
                    subject.send(3)
                    watcher.expect(before)
                }
            }
        }

        @Test("A chain that is long enough to be split passes on each value of two threads once, as many as they request")
        func stretchesWithDemand() {
            explore { stage in
                let subject = Passing()
                let watcher = Watcher(stage, asking: .none)
                var chain = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
                for _ in 0..<64 { chain = chain.map { $0 }.eraseToAnyPublisher() }
                chain.subscribe(watcher)
                stage.thread { for value in [1, 2] { subject.send(value) } }
                stage.thread { for _ in 0..<2 { watcher.request(.max(1)) } }
                stage.thread {
                    subject.send(101)
                    watcher.request(.max(1))
                }
                stage.afterwards { _ in
                    watcher.expectEach(of: [1, 2, 101])
                    subject.send(completion: .finished)
                    watcher.expectCompletion()
                }
            }
        }

        @Test("`prefix(2)` of two threads passes on two values and ends once")
        func counting() {
            explore { stage in
                let (a, b) = (Passing(), Passing())
                let watcher = Watcher(stage)
                a.merge(with: b).prefix(2).subscribe(watcher)
                stage.thread { for value in [1, 2] { a.send(value) } }
                stage.thread { for value in [101, 102] { b.send(value) } }
                stage.afterwards { stage in
                    stage.expect(watcher.values.count, is: 2, "values")
                    watcher.expectCompletion()
                }
            }
        }
    }
}

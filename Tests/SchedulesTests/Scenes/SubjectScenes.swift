import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("Subjects") struct SubjectScenes {
        typealias Passing = PassthroughSubject<Int, Oops>
        typealias Keeping = CurrentValueSubject<Int, Oops>

        @Test("Subscribers of a subject receive each value of two threads once, all in the same order", arguments: [false, true])
        func twoSenders(keeps: Bool) {
            explore { stage in
                let subject = AnySubject(keeps: keeps)
                let (one, two) = (Watcher(stage, named: "the first"), Watcher(stage, named: "the second"))
                subject.publisher.subscribe(one)
                subject.publisher.subscribe(two)
                stage.thread { for value in [1, 2] { subject.send(value) } }
                stage.thread { for value in [101, 102] { subject.send(value) } }
                stage.afterwards { stage in
                    one.expectEach(of: [1, 2, 101, 102] + (keeps ? [0] : []))
                    two.expect(one.values)
                    if keeps { stage.expect(subject.current, is: one.values.last, "current value") }
                }
            }
        }

        @Test("A value that is sent during a delivery and one from another thread at the same time both arrive, once")
        func fromInside() {
            explore { stage in
                let subject = Passing()
                let inside = Shared(0)
                let watcher = Watcher(stage) { value in
                    if value == 1 { subject.send(2) }
                    inside.value += 1
                    return .none
                }
                subject.subscribe(watcher)
                stage.thread { subject.send(1) }
                stage.thread { subject.send(101) }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { stage in
                    watcher.expectEach(of: [1, 2, 101])
                    stage.expect(inside.value, is: 3, "deliveries")
                    subject.send(completion: .finished)
                    watcher.expectCompletion()
                }
            }
        }

        @Test("A subscriber of a subject that subscribes while another thread sends receives the last values, without a gap")
        func subscribing() {
            explore { stage in
                let subject = Passing()
                let watcher = Watcher(stage)
                stage.thread { for value in 1...3 { subject.send(value) } }
                stage.thread { subject.subscribe(watcher) }
                stage.afterwards { _ in watcher.expect(Array((1...3).suffix(watcher.values.count))) }
            }
        }

        @Test(
            "A subscriber that subscribes while another thread sends receives the current value and each later one, once"
        )
        func subscribingToCurrent() {
            explore { stage in
                let subject = Keeping(0)
                let watcher = Watcher(stage)
                stage.thread { for value in 1...3 { subject.send(value) } }
                stage.thread { subject.subscribe(watcher) }
                stage.afterwards { stage in
                    stage.expect(!watcher.values.isEmpty, "no current value")
                    watcher.expect(Array((0...3).suffix(watcher.values.count)))
                }
            }
        }

        @Test(
            "A subscriber that requests a current value while another thread sends has the last one in the end",
            arguments: [1, 2])
        func askingForCurrent(demand: Int) {
            explore { stage in
                let subject = Keeping(0)
                let watcher = Watcher(stage, asking: .none)
                subject.subscribe(watcher)
                stage.thread { for value in 1...2 { subject.send(value) } }
                stage.thread { for _ in 0..<demand { watcher.request(.max(1)) } }
                stage.afterwards { stage in
                    watcher.expectSendersOrder()
                    stage.expect(Set(watcher.values).count, is: watcher.values.count, "values that differ")
                    stage.expect(watcher.values.count <= demand && !watcher.values.isEmpty, "got \(watcher.values)")
                    watcher.request(.unlimited)
                    stage.expect(watcher.values.last, is: 2, "last")
                }
            }
        }

        @Test("A subscriber that requests the next value while another thread sends it receives it")
        func askingForTheNext() {
            explore { stage in
                let subject = Keeping(0)
                let watcher = Watcher(stage, asking: .max(1))
                subject.subscribe(watcher)
                stage.thread { subject.send(1) }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { _ in watcher.expect([0, 1]) }
            }
        }

        @Test(
            "A subscriber that requests while another thread sends receives no more than it requests, and loses nothing"
        )
        func demand() {
            explore { stage in
                let subject = Passing()
                let watcher = Watcher(stage, asking: .max(1))
                subject.subscribe(watcher)
                stage.thread { for value in 1...3 { subject.send(value) } }
                stage.thread { watcher.request(.max(1)) }
                stage.afterwards { stage in
                    stage.expect((1...2).contains(watcher.values.count), "got \(watcher.values)")
                    watcher.expectSendersOrder()
                    subject.send(4)
                    watcher.expect(Array(watcher.values.prefix(2)))
                }
            }
        }

        @Test("At most the current value arrives after `cancel()` has returned", arguments: [false, true])
        func cancelling(keeps: Bool) {
            explore { stage in
                let subject = AnySubject(keeps: keeps)
                let (watcher, other) = (Watcher(stage), Watcher(stage, named: "the other"))
                subject.publisher.subscribe(watcher)
                subject.publisher.subscribe(other)
                stage.thread { for value in 1...2 { subject.send(value) } }
                stage.thread { subject.send(101) }
                stage.thread { watcher.cancel() }
                stage.afterwards { _ in
                    watcher.expectQuietAfterCancelling()
                    other.expectEach(of: [1, 2, 101] + (keeps ? [0] : []))
                    let before = watcher.values
                    subject.send(3)
                    watcher.expect(before)
                }
            }
        }

        @Test(
            "A subscriber that subscribes while two threads send receives the last values, in the order that all see",
            arguments: [false, true])
        func joiningBesideTwo(keeps: Bool) {
            explore { stage in
                let subject = AnySubject(keeps: keeps)
                let (watcher, other) = (Watcher(stage), Watcher(stage, named: "the other"))
                subject.publisher.subscribe(other)
                stage.thread { subject.send(1) }
                stage.thread { subject.send(101) }
                stage.thread { subject.publisher.subscribe(watcher) }
                stage.afterwards { stage in
                    other.expectEach(of: [1, 101] + (keeps ? [0] : []))
                    watcher.expect(Array(other.values.suffix(watcher.values.count)))
                    if keeps { stage.expect(!watcher.values.isEmpty, "has no current value") }
                }
            }
        }

        @Test("A subscriber that remains while others cancel and subscribe receives all values, and a new one every later value")
        func leavingAndJoiningBesideTwo() {
            explore { stage in
                let subject = Passing()
                let (leaver, comer, other) = (
                    Watcher(stage, named: "leaving subscriber"), Watcher(stage, named: "new subscriber"),
                    Watcher(stage, named: "the other")
                )
                subject.subscribe(leaver)
                subject.subscribe(other)
                stage.thread { subject.send(1) }
                stage.thread { subject.send(101) }
                stage.thread {
                    leaver.cancel()
                    subject.subscribe(comer)
                    subject.send(201)
                }
                stage.afterwards { _ in
                    other.expectEach(of: [1, 101, 201])
                    leaver.expectQuietAfterCancelling()
                    comer.expect(Array(other.values.suffix(comer.values.count)))
                    stage.expect(comer.values.contains(201), "does not have what its own thread sent since")
                }
            }
        }

        @Test("A subscriber that cancels while others subscribe does not disturb them")
        func comingAndGoing() {
            explore { stage in
                let subject = Passing()
                let (stays, goes) = (Watcher(stage, named: "remaining subscriber"), Watcher(stage, named: "leaving subscriber"))
                let comes = Watcher(stage, named: "new subscriber")
                subject.subscribe(goes)
                subject.subscribe(stays)
                stage.thread { goes.cancel() }
                stage.thread { subject.subscribe(comes) }
                stage.thread { subject.send(1) }
                stage.afterwards { stage in
                    stays.expect([1])
                    goes.expectQuietAfterCancelling()
                    let seen = comes.values
                    subject.send(2)
                    stays.expect([1, 2])
                    comes.expect(seen + [2])
                    stage.expect(goes.values.contains(2), is: false, "a value for a cancelled subscriber")
                    subject.send(completion: .finished)
                    stays.expectCompletion()
                    comes.expectCompletion()
                }
            }
        }

        @Test(
            "A completion arrives once, after the values of its thread, and nothing arrives after it", arguments: [false, true])
        func completing(keeps: Bool) {
            explore { stage in
                let subject = AnySubject(keeps: keeps)
                let watcher = Watcher(stage)
                subject.publisher.subscribe(watcher)
                stage.thread {
                    subject.send(1)
                    subject.finish(.finished)
                }
                stage.thread {
                    subject.send(101)
                    subject.finish(.failure(Oops()))
                }
                stage.afterwards { stage in
                    stage.expect(watcher.completions.count, is: 1, "completions")
                    stage.expect(watcher.values.contains(watcher.completions == [.finished] ? 1 : 101), "lost what came before")
                    let late = Watcher(stage, named: "late subscriber")
                    subject.publisher.subscribe(late)
                    late.expect([])
                    late.expectCompletion(watcher.completions.first)
                }
            }
        }

        @Test(
            "A subscriber that subscribes while another thread completes the subject receives the completion, once",
            arguments: [false, true])
        func subscribingToTheEnd(keeps: Bool) {
            explore(preemptions: 3) { stage in
                let subject = AnySubject(keeps: keeps)
                let watcher = Watcher(stage)
                stage.thread {
                    subject.send(1)
                    subject.finish(.finished)
                }
                stage.thread { subject.publisher.subscribe(watcher) }
                stage.afterwards { _ in watcher.expectCompletion() }
            }
        }

        @Test("A subscriber is released when a completion and `cancel()` coincide")
        func completingAndCancelling() {
            explore(preemptions: 3) { stage in
                let subject = Passing()
                let watcher = Watcher(stage)
                let token = Token(stage)
                subject.map { token.pass($0) }.subscribe(watcher)
                stage.thread { subject.send(completion: .finished) }
                stage.thread { watcher.cancel() }
                stage.afterwards { stage in
                    watcher.expectQuietAfterCancelling()
                    stage.expect(watcher.completions.count <= 1, "completions: \(watcher.completions)")
                }
            }
        }

        @Test("A subject that is released while a subscriber cancels releases the others", arguments: [false, true])
        func releasing(keeps: Bool) {
            explore { stage in
                let subject = Shared<AnySubject?>(AnySubject(keeps: keeps))
                let (leaver, other) = (Watcher(stage, named: "leaving subscriber"), Watcher(stage, named: "the other"))
                let token = Token(stage)
                subject.value?.publisher.subscribe(leaver)
                subject.value?.publisher.map { token.pass($0) }.subscribe(other)
                stage.thread { leaver.cancel() }
                stage.thread { subject.value = nil }
                stage.afterwards { _ in
                    leaver.expectQuietAfterCancelling()
                    other.expect(keeps ? [0] : [])
                }
            }
        }

        @Test("A subject that is itself a subscriber cancels its upstream once it has completed")
        func upstreams() {
            explore(preemptions: 3) { stage in
                let (source, subject) = (Passing(), Passing())
                let watcher = Watcher(stage)
                let cancelled = Shared(0)
                subject.subscribe(watcher)
                stage.thread {
                    source.handleEvents(receiveCancel: { cancelled.value += 1 }).subscribe(AnySubscriber(subject))
                }
                stage.thread { subject.send(completion: .finished) }
                stage.afterwards { stage in
                    stage.expect(cancelled.value, is: 1, "cancellations of the upstream")
                    source.send(1)
                    watcher.expect([])
                }
            }
        }
    }
}

/// A subject of either kind.
final class AnySubject: @unchecked Sendable {
    // Sound: subjects are thread-safe.
    private let passing: PassthroughSubject<Int, Oops>?
    private let keeping: CurrentValueSubject<Int, Oops>?

    init(keeps: Bool) {
        passing = keeps ? nil : PassthroughSubject()
        keeping = keeps ? CurrentValueSubject(0) : nil
    }

    var publisher: AnyPublisher<Int, Oops> { passing?.eraseToAnyPublisher() ?? keeping!.eraseToAnyPublisher() }
    var current: Int? { keeping?.value }

    func send(_ value: Int) {
        passing?.send(value)
        keeping?.send(value)
    }

    func finish(_ completion: Subscribers.Completion<Oops>) {
        passing?.send(completion: completion)
        keeping?.send(completion: completion)
    }
}

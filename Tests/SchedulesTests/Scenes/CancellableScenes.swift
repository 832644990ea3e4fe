import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("Cancellables") struct CancellableScenes {
        @Test("A cancellable that two threads cancel runs its closure once")
        func once() {
            explore(preemptions: 3) { stage in
                let count = Shared(0)
                let token = Token(stage)
                let cancellable = AnyCancellable { count.value += token.pass(1) }
                stage.thread { cancellable.cancel() }
                stage.thread { cancellable.cancel() }
                stage.afterwards { $0.expect(count.value, is: 1, "calls") }
            }
        }

        @Test("A cancellation by two threads has taken effect for each when its `cancel()` returns")
        func effective() {
            explore(preemptions: 3) { stage in
                let flag = Flag()
                let cancellable = AnyCancellable(flag)
                for _ in 0..<2 {
                    stage.thread {
                        cancellable.cancel()
                        if !flag.isSet { stage.fail("cancel() returned before it had taken effect") }
                    }
                }
                stage.mustGo(flag, "the cancelled object")
            }
        }

        @Test("A sink receives at most the current value after either of two threads has cancelled it while a third sends")
        func sink() {
            explore { stage in
                let subject = PassthroughSubject<Int, Never>()
                let isCancelled = Shared(false)
                let late = Shared(0)
                let token = Token(stage)
                let cancellable = subject.sink { value in
                    if isCancelled.value { late.value += token.pass(1) }
                    SwitchPoint.reached()
                }
                for _ in 0..<2 {
                    stage.thread {
                        cancellable.cancel()
                        isCancelled.value = true
                    }
                }
                stage.thread { for value in 1...2 { subject.send(value) } }
                stage.afterwards { $0.expect(late.value <= 1, "\(late.value) values after cancel()") }
            }
        }

        @Test("A sink that is released while its publisher completes releases its closures, and receives at most one completion")
        func releasedSink() {
            explore(preemptions: 3) { stage in
                let subject = PassthroughSubject<Int, Never>()
                let completions = Shared(0)
                let token = Token(stage)
                let kept = Shared<AnyCancellable?>(
                    subject.sink(receiveCompletion: { _ in completions.value += token.pass(1) }, receiveValue: { _ in }))
                stage.thread { subject.send(completion: .finished) }
                stage.thread { kept.value = nil }
                stage.afterwards { $0.expect(completions.value <= 1, "completions: \(completions.value)") }
            }
        }

        @Test("`assign(to:on:)` that is cancelled while values arrive writes at most the current value")
        func assign() {
            explore(preemptions: 3) { stage in
                let subject = PassthroughSubject<Int, Never>()
                let target = Target()
                stage.mustGo(target, "the object that was written to")
                let cancellable = subject.assign(to: \.value, on: target)
                let seen = Shared<Int?>(nil)
                stage.thread { for value in 1...3 { subject.send(value) } }
                stage.thread {
                    cancellable.cancel()
                    seen.value = target.writes
                }
                stage.afterwards { $0.expect(target.writes - (seen.value ?? 0) <= 1, "\(target.writes) writes") }
            }
        }

        private final class Flag: Cancellable, @unchecked Sendable {
            // Sound: one thread of a scene runs at a time, and the director orders them.
            private(set) var isSet = false
            func cancel() {
                SwitchPoint.reached()
                isSet = true
            }
        }

        private final class Target: @unchecked Sendable {
            // Sound: one thread of a scene runs at a time, and the director orders them.
            var value = 0 {
                didSet { writes += 1 }
            }
            private(set) var writes = 0
        }
    }
}

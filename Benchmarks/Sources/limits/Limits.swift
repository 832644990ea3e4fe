import Dispatch
import Foundation
import Moonlight
import Streams

/// Checks that a hundred million values pass a chain in constant memory.
func longSequence() {
    let count = 100_000_000
    measured("\(count) values through a chain") {
        let sum = Counter()
        _ = (1...count).publisher.map { $0 & 1 }.filter { $0 == 1 }.scan(0) { $1 }.sink { sum.value += $0 }
        return sum.value == count / 2
    }
    measured("\(count / 10) values through a merge, erased, asked for one by one") {
        let sum = Counter()
        let numbers = (1...count / 10).publisher
        numbers.merge(with: Empty()).eraseToAnyPublisher().subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { _ in
                    sum.value += 1
                    return .max(1)
                }))
        return sum.value == count / 10
    }
}

/// Runs a chain of thirty operators as one type. The test is that it compiles with optimization: Swift 6.3 fails on functions
/// that are inlined too deeply.
func longChain() {
    measured("a chain of thirty operators, unerased") {
        let (ready, sent) = (Counter(), Counter())
        let subject = PassthroughSubject<Int, Never>()
        let cancellables = [
            six(six(six(six(six((0..<1000).publisher))))).sink { ready.value += $0 },
            six(six(six(six(six(subject))))).sink { sent.value += $0 },
        ]
        for number in 0..<1000 { subject.send(number) }
        return withExtendedLifetime(cancellables) { ready.value > 0 && ready.value == sent.value }
    }
}

@inline(__always)
private func six<P: Publisher<Int, Never>>(_ upstream: P) -> some Publisher<Int, Never> {
    upstream.map { $0 &+ 1 }.filter { $0 & 7 != 7 }.scan(0) { $0 ^ $1 }.compactMap { $0 > 0 ? $0 : nil }
        .setFailureType(to: Never.self).removeDuplicates()
}

/// Five thousand erased operators: subscribing to them, delivering through them and their completion fit on a stack of 512 KB.
func deepErasures() {
    measured("5000 nested erasures on 512 KB of stack") {
        let sum = Counter()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let subject = PassthroughSubject<Int, Never>()
            var chain = subject.eraseToAnyPublisher()
            for _ in 0..<5_000 { chain = chain.map { $0 &+ 1 }.eraseToAnyPublisher() }
            let cancellable = chain.sink(receiveCompletion: { _ in sum.value += 1 }, receiveValue: { sum.value += $0 })
            subject.send(1)
            subject.send(completion: .finished)
            cancellable.cancel()
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        return sum.value == 5_002
    }
}

/// Adds and removes a million subscribers, a thousand at a time, in any order.
func comingAndGoing() {
    measured("1000000 subscribers of a subject and of a share come and go") {
        let subject = CurrentValueSubject<Int, Never>(0)
        let shared = subject.map { $0 + 1 }.share(replay: 1)
        let seen = Counter()
        var crowd: [AnyCancellable] = []
        for number in 0..<1_000_000 {
            let cancellable = number % 2 == 0 ? subject.sink { _ in seen.value += 1 } : shared.sink { _ in seen.value += 1 }
            if crowd.count < 1_000 { crowd.append(cancellable) } else { crowd[number * 7_919 % 1_000] = cancellable }
            if number % 10_000 == 0 { subject.send(number) }
        }
        let before = seen.value
        crowd = []
        subject.send(-1)
        return before >= 1_000_000 && seen.value == before
    }
}

/// Runs ten million rounds of a loop that reacts to its own states.
func endlessFeedback() {
    measured("10000000 rounds of feedback") {
        let last = Counter()
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: 0, environment: (),
            feedback: { states in [states.filter { $0 < 10_000_000 }.map { $0 + 1 }.eraseToAnyPublisher()] })
        last.value = store.state
        return last.value == 10_000_000
    }
}

final class Counter: @unchecked Sendable {
    // Sound: used by one thread.
    var value = 0
}

import Streams
import Testing

@Suite("AnyCancellable")
struct AnyCancellableTests {
    private final class Counter: Cancellable {
        var calls = 0
        func cancel() { calls += 1 }
    }

    @Test("it cancels once, however often it is told to")
    func once() {
        let counter = Counter()
        let cancellable = AnyCancellable(counter)
        cancellable.cancel()
        cancellable.cancel()
        #expect(counter.calls == 1)
    }

    @Test("it cancels when it is released, unless it has")
    func onRelease() {
        let (released, cancelled) = (Counter(), Counter())
        do {
            _ = AnyCancellable(released)
            AnyCancellable(cancelled).cancel()
        }
        #expect(released.calls == 1)
        #expect(cancelled.calls == 1)
    }

    @Test("two are equal only if they are the same")
    func equality() {
        let counter = Counter()
        let (a, b) = (AnyCancellable(counter), AnyCancellable(counter))
        #expect(a == a)
        #expect(a != b)
        #expect(Set([a, a, b]).count == 2)
    }

    @Test("stored in a set, it lives as long as the set holds it")
    func storeInSet() {
        let counter = Counter()
        var set: Set<AnyCancellable> = []
        counter.store(in: &set)
        #expect(set.count == 1 && counter.calls == 0)
        set = []
        #expect(counter.calls == 1)
    }

    @Test("stored in an array, it lives as long as the array holds it")
    func storeInArray() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var kept: [AnyCancellable] = []
        subject.sink { seen.append($0) }.store(in: &kept)
        subject.sink { seen.append($0 * 10) }.store(in: &kept)
        subject.send(1)
        kept.removeLast()
        subject.send(2)
        #expect(seen == [1, 10, 2])
    }

    @Test("what is stored is the cancellable itself, so that it can be found and taken out")
    func storesItself() {
        let cancellable = AnyCancellable {}
        var set: Set<AnyCancellable> = []
        cancellable.store(in: &set)
        cancellable.store(in: &set)
        #expect(set == [cancellable])
        var array: [AnyCancellable] = []
        cancellable.store(in: &array)
        #expect(array == [cancellable])
    }
}

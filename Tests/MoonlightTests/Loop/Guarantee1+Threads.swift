import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension Guarantee1OneMailbox {
    @Test("An event sent while another thread runs the loop is queued, `send` returns, and neither thread handles it")
    func handedOver() {
        let threads = Recorder<UInt>()
        let (running, goOn) = (Latch(), Latch())
        let loop = WordLoop(transform: { _, word in
            threads.append(currentThread())
            if word == "a" {
                running.open()
                goOn.wait()
            }
            return Just(word).eraseToAnyPublisher()
        })
        let (sent, stay) = (Latch(), Latch())
        let owner = Worker {
            loop.send("a")
            sent.open()
            // Until then, no other thread can have this one's number.
            stay.wait()
        }
        running.wait()
        loop.send("b")
        expectEqual(loop.words, [], "the loop is still inside the first event")
        goOn.open()
        sent.wait()
        settle()
        expectEqual(loop.words, ["a", "b"])
        expectEqual(Set(threads.all).count, 2)
        expect(threads.last != currentThread())
        stay.open()
        owner.join()
    }

    @Test("Eight threads that send thousands of events each lose none, and no two closures of the loop overlap")
    func manyThreads() {
        #if THREAD_SANITIZER
            let (threads, each) = (8, Budget.rounds(2_000, least: 500))
        #else
            let (threads, each) = (8, Budget.rounds(20_000))
        #endif
        let place = OverlapDetector()
        let last = Recorder<Int>()
        let events = PassthroughSubject<Int, Never>()
        let perThread = (0..<threads).map { _ in PassthroughSubject<Int, Never>() }
        let observers = Keeper()
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink { count in
                        place.visit { if count == threads * each { last.append(count) } }
                    })
                return perThread.map { $0.eraseToAnyPublisher() } + [events.eraseToAnyPublisher()]
            },
            transform: { _, step, _ in place.visit { Just(step).eraseToAnyPublisher() } },
            apply: { count, step in place.visit { count + step } })
        // Half through a common subject, half through a subject for each thread, so that the loop alone must order them.
        onThreads(threads) { number in
            for turn in 0..<each { (turn.isMultiple(of: 2) ? events : perThread[number]).send(1) }
        }
        expectEqual(last.all, [threads * each])
        expectEqual(place.overlaps, 0)
        loop.cancel()
    }

    @Test("The events of each thread keep their order")
    func orderPerThread() {
        let (threads, each) = (4, Budget.rounds(5_000, least: 1_000))
        let inlets = (0..<threads).map { _ in PassthroughSubject<[Int], Never>() }
        let inOrder = Counter()
        let loop = Moonlight.start(
            initialState: Array(repeating: 0, count: threads),
            environment: (),
            feedback: { _ in inlets.map { $0.eraseToAnyPublisher() } },
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { next, event in
                var next = next
                if next[event[0]] == event[1] { inOrder.add() }
                next[event[0]] = event[1] + 1
                return next
            })
        onThreads(threads) { number in
            for turn in 0..<each { inlets[number].send([number, turn]) }
        }
        expectEqual(inOrder.value, threads * each)
        loop.cancel()
    }
}

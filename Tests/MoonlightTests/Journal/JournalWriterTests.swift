import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

@Suite("Journal writer")
struct JournalWriterTests {
    private typealias Batch = JournalBatch<Int, Int, Int>

    private let time = VirtualTimeScheduler()

    private func store(_ writer: JournalWriter<Int, Int, Int>) -> Store<Int, Int> {
        Store(
            reducer: Reducer(transform: { _, event, _ in .just(event) }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions(journal: writer.take))
    }

    /// A short form of a batch: the numbers of its records, and the number of dropped ones.
    private func short(_ batch: Batch) -> String { "\(batch.records.map(\.number)) \(batch.dropped)" }

    @Test("Records are written in a batch, one interval after the first of them")
    func together() {
        let batches = Recorder<String>()
        let writer = JournalWriter<Int, Int, Int>(every: .milliseconds(10), on: time) { batches.append(short($0)) }
        let store = store(writer)
        store.post(1)
        time.advance(by: .milliseconds(9))
        store.post(2)
        expectEqual(batches.all, [])
        expectEqual(writer.waiting, 4)
        time.advance(by: .milliseconds(1))
        expectEqual(batches.all, ["[1, 2, 3, 4] 0"])
        expectEqual(writer.waiting, 0)
        store.post(3)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1, 2, 3, 4] 0", "[5, 6] 0"])
        time.advance(by: .seconds(10))
        expectEqual(batches.count, 2)
    }

    @Test("A single record is written one interval after it arrived")
    func single() {
        let batches = Recorder<String>()
        let writer = JournalWriter<Int, Int, Int>(every: .milliseconds(10), on: time) { batches.append(short($0)) }
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, _, _ in Empty<Int, Never>().eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions(journal: writer.take))
        store.post(1)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1] 0"])
        time.advance(by: .milliseconds(5))
        store.post(2)
        expectEqual(time.pending, 1)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1] 0", "[2] 0"])
    }

    @Test("A record that does not fit is dropped, and the batch has the number of dropped records")
    func dropped() {
        let batches = Recorder<String>()
        let writer = JournalWriter<Int, Int, Int>(limit: 3, every: .milliseconds(10), on: time) { batches.append(short($0)) }
        let store = store(writer)
        for event in 1...4 { store.post(event) }
        time.advance(by: .milliseconds(10))
        store.post(5)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1, 2, 3] 5", "[9, 10] 0"])
    }

    @Test("A flush writes pending records at once, and the scheduled write then finds none")
    func flush() {
        let batches = Recorder<String>()
        let writer = JournalWriter<Int, Int, Int>(every: .milliseconds(10), on: time) { batches.append(short($0)) }
        let store = store(writer)
        store.post(1)
        store.cancel()
        writer.flush()
        expectEqual(batches.all, ["[1, 2, 3] 0"])
        time.advance(by: .milliseconds(10))
        writer.flush()
        expectEqual(batches.count, 1)
    }

    @Test("A flush during a write leaves the records to that write: batches are written one at a time, in order")
    func oneAtATime() {
        let (batches, inside) = (Recorder<String>(), OverlapDetector())
        let writer = Lock<JournalWriter<Int, Int, Int>?>(nil)
        let store = Lock<Store<Int, Int>?>(nil)
        let made = JournalWriter<Int, Int, Int>(every: .milliseconds(10), on: time) { batch in
            inside.visit {
                if batches.count == 0 {
                    // As from another thread.
                    store.withLock { $0 }?.post(7)
                    writer.withLock { $0 }?.flush()
                }
                batches.append(short(batch))
            }
        }
        writer.withLock { $0 = made }
        store.withLock { $0 = self.store(made) }
        store.withLock { $0 }?.post(1)
        made.flush()
        expectEqual(batches.all, ["[1, 2] 0", "[3, 4] 0"])
        expectEqual(inside.overlaps, 0)
        discard(writer.withLock { $0.take() })
        discard(store.withLock { $0.take() })
    }

    @Test("A writer without a scheduler writes on its own queue")
    func queue() async {
        let written = Flag()
        let writer = JournalWriter<Int, Int, Int> { batch in if batch.records.last?.number == 3 { written.raise() } }
        let store = store(writer)
        store.post(1)
        store.cancel()
        await written.wait()
        expectEqual(writer.waiting, 0)
    }

    @Test("A batch is lines of text, or JSON, and its last line has the number of dropped records")
    func text() {
        let batches = Recorder<Batch>()
        let writer = JournalWriter<Int, Int, Int>(limit: 1, every: .milliseconds(10), on: time) { batches.append($0) }
        let store = store(writer)
        for event in [5, 6] {
            store.post(event)
            writer.flush()
        }
        let (first, start) = (batches.all[0], batches.all[0].records[0].time)
        let lines = first.lines.split(separator: "\n").map(String.init)
        expectEqual(lines.count, 2)
        expectEqual(lines.first, first.records[0].line)
        expectEqual(lines.last?.hasSuffix("Z  1 record dropped: the writer is behind"), true)
        expectEqual(first.json(since: start), first.records[0].json(since: start) + "\n{\"dropped\":1}")
        let whole = Batch(records: first.records, dropped: 0)
        expectEqual(whole.lines, first.records[0].line)
        expect(Batch(records: [], dropped: 2).lines.hasSuffix("  2 records dropped: the writer is behind"))
        store.cancel()
    }

    @Test("A record that arrives during a write waits for its interval, unless there is a flush")
    func comesMeanwhile() {
        let batches = Recorder<String>()
        let inside = Lock<@Sendable (Int) -> Void>({ _ in })
        let writer = JournalWriter<Int, Int, Int>(every: .milliseconds(10), on: time) { batch in
            batches.append(short(batch))
            inside.withLock { $0 }(batches.count)
        }
        let store = store(writer)
        inside.withLock { inside in
            inside = { count in
                if count < 4 { store.post(count) }
                if count == 2 { writer.flush() }
            }
        }
        store.post(0)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1, 2] 0"])
        expectEqual(writer.waiting, 2)
        // The second batch schedules the third, which schedules no other.
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all, ["[1, 2] 0", "[3, 4] 0", "[5, 6] 0"])
        expectEqual(writer.waiting, 2)
        time.advance(by: .milliseconds(10))
        expectEqual(batches.all.dropFirst(3), ["[7, 8] 0"])
        inside.withLock { $0 = { _ in } }
    }
}

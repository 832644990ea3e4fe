import Moonlight
import MoonlightRecording

// The same store with and without a journal.

func journal() -> [Work] {
    let total = total
    // Sound: one thread at a time writes.
    nonisolated(unsafe) let written = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    let writer = JournalWriter<Small, Int, Int> { batch in mix(batch.lines.utf8.count, into: written) }
    let wideWriter = JournalWriter<Wide, Int, Int> { batch in mix(batch.lines.utf8.count, into: written) }
    let counts = [1_000, 100_000]
    // The writers come last, so that their remaining work does not count in another row.
    return [
        recording(.journalOff, LoopOptions()),
        recording(.journalOn, LoopOptions(journal: unchecked { mix($0.number, into: total) })),
        recording(.journalText, LoopOptions(journal: unchecked { mix("\($0)".utf8.count, into: total) })),
    ]
        + counts.map {
            recording(.journalOfArray($0), $0, LoopOptions(journal: unchecked { mix($0.number, into: total) }))
        }
        + [recording(.journalWriter, LoopOptions(journal: writer.take))]
        + counts.map { recording(.writerOfArray($0), $0, LoopOptions(journal: wideWriter.take)) }
        + [recording(.recordingOn, LoopOptions(journal: Recording(of: smallReducer)))]
        + [recording(.recordingOfArray(1_000), 1_000, LoopOptions(journal: Recording(of: wideReducer)))]
}

private let smallReducer = Reducer<Small, Int, Int, Void>(
    transform: { _, event, _ in .just(event) }, apply: Small.inPlace)
private let wideReducer = Reducer<Wide, Int, Int, Void>(
    transform: { _, event, _ in .just(event) }, apply: { (state: inout Wide, effect: Int) in state.items[0] &+= effect })

/// A large state, of which each event changes a small part.
private struct Wide: Equatable, Sendable {
    var items: [Int]
}

private func recording(_ row: Row, _ options: LoopOptions<Small, Int, Int>) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let store = smallStore(options)
        return { n in for i in 0..<n { store.send(i) } }
    }
}

private func recording(_ row: Row, _ count: Int, _ options: LoopOptions<Wide, Int, Int>) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let store = Store<Wide, Int>(
            reducer: Reducer(
                transform: { _, event, _ in .just(event) },
                apply: { (state: inout Wide, effect: Int) in state.items[effect % count] &+= 1 }),
            initialState: Wide(items: Array(repeating: 0, count: count)), environment: (), options: options)
        return { n in for i in 0..<n { store.send(i) } }
    }
}

/// Sound: one thread sends.
private func unchecked<Record>(_ write: @escaping (Record) -> Void) -> @Sendable (Record) -> Void {
    nonisolated(unsafe) let write = write
    return { write($0) }
}

// The same store with its journal off and on.

func journal() -> [Work] {
    let total = total
    return [
        recording(.journalOff, LoopOptions()),
        recording(.journalOn, LoopOptions(journal: unchecked { mix($0.number, into: total) })),
        recording(.journalText, LoopOptions(journal: unchecked { mix("\($0)".utf8.count, into: total) })),
    ]
}

private func recording(_ row: Row, _ options: LoopOptions<Small, Int, Int>) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let store = smallStore(options)
        return { n in for i in 0..<n { store.send(i) } }
    }
}

/// Sound: one thread sends.
private func unchecked<Record>(_ write: @escaping (Record) -> Void) -> @Sendable (Record) -> Void {
    nonisolated(unsafe) let write = write
    return { write($0) }
}

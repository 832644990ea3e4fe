// An AsyncStream per listener.

func subjects() -> [Work] { [subject(to: 1), subject(to: 10), subject(to: 100), subject(to: 1000), currentValue] }

private func subject(to count: Int) -> Work {
    Work(.subject(count), .asyncSequences) { n in
        let streams = (0..<count).map { _ in AsyncStream.makeStream(of: Int.self) }
        blocking {
            await withTaskGroup(of: Void.self) { group in
                for (stream, _) in streams {
                    group.addTask {
                        let total = total
                        for await value in stream { mix(value, into: total) }
                    }
                }
                for i in 0..<(n / count) { for (_, continuation) in streams { continuation.yield(i) } }
                for (_, continuation) in streams { continuation.finish() }
            }
        }
    }
}

private var currentValue: Work {
    Work(.currentValue, .asyncSequences) { n in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        blocking {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let total = total
                    for await value in stream.map({ $0 &+ 1 }).removeDuplicates() { mix(value, into: total) }
                }
                for i in 0..<n { continuation.yield(i >> 1) }
                continuation.finish()
            }
        }
    }
}

import Dispatch
import SampleSupport
import Streams

extension ItemEnvironment {
    /// Fetches files into a folder.
    ///
    /// - Parameters:
    ///   - folder: Where to put them.
    ///   - step: After how many percent to tell of progress.
    ///   - speed: How many bytes a second a file may have; nil for as many as come.
    ///   - work: Entered while a file is at work: wait for it, and nothing is left behind.
    static func live(folder: String, step: Int, speed: Int?, work: DispatchGroup) -> ItemEnvironment {
        ItemEnvironment { source, name in
            .run { send throws(FetchError) in
                work.enter()
                defer { work.leave() }
                try await offload { stop throws(FetchError) in
                    let incoming = try Incoming(source, stop: stop)
                    let file = try PartFile(name, in: folder)
                    let pace = Pace(speed: speed)
                    var progress = Progress(total: incoming.total)
                    var told = progress
                    send(progress)
                    while let piece = try incoming.next() {
                        try file.append(piece)
                        progress.received += piece.count
                        if progress.isWorthTelling(after: told, step: step) {
                            send(progress)
                            told = progress
                        }
                        pace.wait(for: progress.received, stop: stop)
                        if stop.isSet { throw .cancelled }
                    }
                    if progress != told { send(progress) }
                    try file.complete()
                }
            }
        }
    }
}

extension Progress {
    /// Whether another step is done, in percent or, if nobody knows how many bytes there will be, in megabytes.
    fileprivate func isWorthTelling(after told: Progress, step: Int) -> Bool {
        if let percent, let before = told.percent { return percent / step > before / step }
        return received >> 20 > told.received >> 20
    }
}

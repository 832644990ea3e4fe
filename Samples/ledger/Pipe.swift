import Dispatch
import MoonPresentation
import Moonlight
import SampleSupport
import Synchronization

/// The program without a terminal: postings come line by line, and each is answered when it is safe.
///
/// The next line is read while the answer to the one before waits for the disk, so that many postings share a sync.
struct Pipe {
    private let book: Book
    private let output = OutputLines()

    init(_ book: Book) { self.book = book }

    func run() -> Int32 {
        let (waiting, hasFailed) = (DispatchGroup(), Flag())
        let inputCode = CommandLines.read(for: "ledger") { line in
            if output.failure != nil { return .stop }
            switch Command(line) {
            case .post(let posting, let key): post(posting, key, waiting, hasFailed)
            case .postOnce(let posting): post(posting, nil, waiting, hasFailed)
            case .balance:
                waiting.wait()
                output.write(book.state.lines)
            case .quit: return .stop
            case nil:
                hasFailed.raise()
                return .wrong("unknown command")
            }
            return .goOn
        }
        waiting.wait()
        let outputCode = output.finish(of: "ledger")
        if inputCode != ExitCode.success { return inputCode }
        if outputCode != ExitCode.success { return outputCode }
        return hasFailed.isRaised ? 1 : ExitCode.success
    }

    private func post(_ posting: Posting, _ key: String?, _ waiting: DispatchGroup, _ hasFailed: Flag) {
        waiting.enter()
        Task {
            let result = await book.carryOut(posting, key: key)
            if case .failure = result { hasFailed.raise() }
            output.write([answer(key ?? "-", result)])
            waiting.leave()
        }
    }
}

private final class Flag: Sendable {
    private let flag = Mutex(false)

    var isRaised: Bool { flag.withLock { $0 } }
    func raise() { flag.withLock { $0 = true } }
}

import Dispatch
import MoonlightDurability
import Synchronization

/// A pool of sessions for concurrent calls. A call blocks while all sessions are in use.
final class SessionPool: @unchecked Sendable {
    // Sound: each session is in the list or used by one caller.
    private let sessions: Mutex<[Session]>
    private let permits: DispatchSemaphore

    init(_ database: PostgreSQL, count: Int) {
        sessions = Mutex((0..<count).map { _ in Session(database) })
        permits = DispatchSemaphore(value: count)
    }

    func run(_ commands: [Command]) throws(DurabilityError) -> [Rows] {
        permits.wait()
        defer { permits.signal() }
        guard let session = sessions.withLock({ SessionBox(session: $0.popLast()) }).session else { throw .closed }
        defer {
            let box = SessionBox(session: session)
            sessions.withLock { if let session = box.session { $0.append(session) } }
        }
        return try session.run(commands)
    }

    func close() {
        while let session = sessions.withLock({ SessionBox(session: $0.popLast()) }).session { session.close() }
    }

    private struct SessionBox: @unchecked Sendable {
        // Sound: the contents have one owner.
        let session: Session?
    }
}

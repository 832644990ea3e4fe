/// When something may be told.
public enum Acknowledgment: Sendable, Hashable {
    /// When it is synced: it survives a loss of power.
    case afterSync
    /// When it is written: it survives the end of the process, but not a loss of power. It is synced within a second.
    case afterWrite
    /// At once. It is written and synced at such intervals: what has happened since the last one may be lost.
    ///
    /// If more than 65,536 turns wait to be written, what they have led to is told only when it is written, so that senders that
    /// await their answers do not outrun the disk.
    case later(every: Duration)
}

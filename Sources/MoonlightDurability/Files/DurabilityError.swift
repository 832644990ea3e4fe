#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The error of a log: of its disk or storage, of its content, or of a value to be written.
public enum DurabilityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another writer, perhaps in another process, has the log open.
    case inUse(place: String, holder: String)
    /// A call of the file system failed with an error number of the system, `errno`; 0 if a write wrote nothing and gave no reason. The path
    /// is nil if it is not known.
    case file(call: String, path: String?, code: Int32)
    /// A storage other than a folder failed.
    case storage(String)
    /// A durable record has changed since it was written.
    case damaged(file: String, offset: Int, reason: String)
    /// Records are missing.
    case missing(from: UInt64, to: UInt64, reason: String)
    /// The log begins with a snapshot, and none of its snapshots can be used.
    case noSnapshot(reason: String)
    /// A record, or an event or a state in it, has a version that the schema does not know.
    case unknownVersion(of: String, version: UInt32, sequence: UInt64, known: [UInt32])
    /// A record is intact, but the codec cannot read it.
    case unreadable(sequence: UInt64, reason: String)
    /// A value cannot be written: its codec refuses it, or it is too large. Only this value is refused.
    case unwritable(String)
    /// `apply` threw for an effect of the log.
    case refused(sequence: UInt64, reason: String)
    /// `apply` threw for the effect of ``InterruptedWorkAnswer/fail(_:)``, the decision about interrupted work with this key.
    case refusedFailure(key: String, reason: String)
    /// Another owner has appended to the log of a fleet's member, behind the record that was expected to be the last.
    case conflict(id: String, expected: UInt64)
    /// An old log can no longer be folded: see ``Schema/check(logsIn:reducer:from:state:events:)``.
    case oldLog(name: String, reason: String)
    /// The store has ended, or its log was closed.
    case closed

    /// The problem and, if there is one, the remedy, without control characters.
    public var description: String { text.escapingControlsInLines }

    private var text: String {
        switch self {
        case .inUse(let place, let holder): "the log \(place) is in use by \(holder)"
        case .file(let call, let path, let code):
            "\(call)\(path.map { " \($0)" } ?? ""): \(code == 0 ? "nothing was written" : String(cString: strerror(code)))"
        case .storage(let reason): reason
        case .damaged(let file, let offset, let reason): "\(file) is damaged at offset \(offset): \(reason)"
        case .missing(let from, let to, let reason): "records \(from) to \(to) are missing: \(reason)"
        case .noSnapshot(let reason): "no snapshot can be used, and the records before it are gone: \(reason)"
        case .unknownVersion(let what, let version, let sequence, let known):
            "record \(sequence) has \(what) of version \(version), but the schema reads only "
                + "\(known.map(String.init).joined(separator: ", ")): add an upcast"
        case .unreadable(let sequence, let reason): "record \(sequence) cannot be read: \(reason)"
        case .unwritable(let reason): "a value cannot be written: \(reason)"
        case .refused(let sequence, let reason):
            "apply rejects an effect of record \(sequence), which it has accepted before: \(reason)"
        case .refusedFailure(let key, let reason): "apply rejects the effect that fails the interrupted work \(key): \(reason)"
        case .conflict(let id, let expected): "another owner has appended to the log of \(id) after record \(expected)"
        case .oldLog(let name, let reason): "\(name): \(reason)"
        case .closed: "the log is closed"
        }
    }

    /// True if no space is left, on the disk or within the quota.
    public var isFull: Bool { if case .file(_, _, let code) = self { code == ENOSPC || code == EDQUOT } else { false } }

    /// True if a file, or a folder on the way to it, does not exist.
    var isMissingFile: Bool { if case .file(_, _, let code) = self { code == ENOENT || code == ENOTDIR } else { false } }

    /// A file has fewer bytes than it had before.
    static var shortFile: DurabilityError { .file(call: "read", path: nil, code: EIO) }

    /// Converts an error to a ``DurabilityError``.
    init(wrapping error: any Error) {
        self = error as? DurabilityError ?? .storage("\(error)")
    }

    /// Returns the error for a value that its codec refuses, without the value, which may be very long.
    static func unwritable(because error: any Error) -> DurabilityError {
        guard case EncodingError.invalidValue(_, let context) = error else { return .unwritable("\(error)") }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return .unwritable(context.debugDescription + (path.isEmpty ? "" : " (\(path))"))
    }
}

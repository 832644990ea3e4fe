#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A call of the file system that has failed: which, on which file, and why.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that has failed.
    public enum Operation: String, Sendable, Hashable {
        /// Opening or making a file.
        case open
        /// Reading.
        case read
        /// Writing.
        case write
        /// Cutting a file.
        case truncate
        /// Making bytes, or the names in a folder, durable.
        case sync
        /// Renaming.
        case rename
        /// Removing.
        case remove
        /// Making a folder.
        case makeFolder = "make folder"
        /// Listing a folder.
        case list
        /// Locking.
        case lock
    }

    /// The reason of a failure.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The number that the system gives: `errno`.
        public let code: Int32

        /// Creates a reason.
        ///
        /// - Parameter code: The number that the system gives: `errno`.
        public init(code: Int32) { self.code = code }

        /// There is no room, on the disk or within the quota.
        public var isFull: Bool { code == ENOSPC || code == EDQUOT }
        /// The file system is mounted for reading only, or the process may not write.
        public var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }
        /// A file, or a folder on the way to it, is not there.
        public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

        /// There is no room.
        public static var full: Reason { Reason(code: ENOSPC) }
        /// The device has failed.
        public static var device: Reason { Reason(code: EIO) }
        /// A write has written nothing, and given no reason.
        public static var noProgress: Reason { Reason(code: 0) }

        /// The system's words for the number.
        public var description: String { code == 0 ? "nothing was written" : String(cString: strerror(code)) }
    }

    /// The call that has failed.
    public let operation: Operation
    /// The path of the file; nil if it is not known.
    public let path: String?
    /// Why it has failed.
    public let reason: Reason

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - operation: The call that has failed.
    ///   - path: The path of the file.
    ///   - reason: Why it has failed.
    public init(_ operation: Operation, _ path: String?, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// The call, the file and the reason: `write orders/00000000000000000001.log: No space left on device`.
    public var description: String { "\(operation.rawValue)\(path.map { " \($0)" } ?? ""): \(reason)" }
}

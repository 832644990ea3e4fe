#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension DurabilityError {
    /// A call of the file system.
    public enum FileCall: String, Sendable, Hashable {
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

    /// The reason for which a call of the file system has failed.
    public struct FileReason: Sendable, Hashable, CustomStringConvertible {
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
        public static var full: FileReason { FileReason(code: ENOSPC) }
        /// The device has failed.
        public static var device: FileReason { FileReason(code: EIO) }
        /// A write has written nothing, and given no reason.
        public static var noProgress: FileReason { FileReason(code: 0) }

        /// The system's words for the number.
        public var description: String { code == 0 ? "nothing was written" : String(cString: strerror(code)) }
    }
}

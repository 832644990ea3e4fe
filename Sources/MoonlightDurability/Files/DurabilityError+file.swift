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
        /// Opening or creating a file.
        case open
        /// Reading.
        case read
        /// Writing.
        case write
        /// Truncating a file.
        case truncate
        /// Making bytes, or the names in a folder, durable.
        case sync
        /// Renaming.
        case rename
        /// Removing.
        case remove
        /// Creating a folder.
        case makeFolder = "make folder"
        /// Listing a folder.
        case list
        /// Locking.
        case lock
    }

    /// The reason why a call of the file system failed.
    public struct FileReason: Sendable, Hashable, CustomStringConvertible {
        /// The error number of the system: `errno`.
        public let code: Int32

        package init(code: Int32) { self.code = code }

        /// No space is left, on the disk or within the quota.
        public var isFull: Bool { code == ENOSPC || code == EDQUOT }
        /// A file, or a folder on the way to it, does not exist.
        package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

        /// No space is left.
        package static var full: FileReason { FileReason(code: ENOSPC) }
        /// The device has failed.
        package static var device: FileReason { FileReason(code: EIO) }
        /// A write wrote nothing and gave no reason.
        package static var noProgress: FileReason { FileReason(code: 0) }

        /// The system's text for the number.
        public var description: String { code == 0 ? "nothing was written" : String(cString: strerror(code)) }
    }
}

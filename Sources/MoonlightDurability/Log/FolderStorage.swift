/// A log in a folder: the storage of ``Durable``.
///
/// The folder is created with mode 0700, and its files with mode 0600. A lock file allows one writer at a time, across processes.
public final class FolderStorage: LogStorage {
    let log: StoreLog

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if it does not exist.
    ///   - segmentSize: The number of bytes after which another file is begun; at least 1.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20, isReadOnly: Bool = false) {
        precondition(segmentSize > 0, "segmentSize must be at least 1, but is \(segmentSize); use .max for a single file")
        log = StoreLog(LogFolder(folder, .store, files), segmentSize: segmentSize, isReadOnly: isReadOnly)
    }
}

extension LogStorage {
    /// The methods of this storage.
    @_spi(Storage) public var backend: any LogBackend {
        if let folder = self as? FolderStorage { return folder.log }
        guard let backend = self as? any LogBackend else {
            preconditionFailure("\(type(of: self)) must conform to LogBackend: @_spi(Storage) import MoonlightDurability")
        }
        return backend
    }
}

/// The folder of a log, of a store or of a fleet.
struct LogFolder: Sendable {
    let path: String
    let files: any FileSystem

    /// - Parameter path: The path of the folder; slashes at its end are ignored.
    init(_ path: String, _ files: any FileSystem) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path.isEmpty ? "." : path
        self.files = files
    }

    func path(_ name: String) -> String { path + "/" + name }
    func names() throws(DurabilityError) -> [String] { try files.names(in: path) }
    func open(_ name: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile { try files.open(path(name), access) }
    func remove(_ name: String) throws(DurabilityError) { try files.remove(path(name)) }

    /// Makes the names in the folder durable.
    func sync() throws(DurabilityError) { try files.syncFolder(path) }

    /// Takes the lock of the folder.
    ///
    /// - Parameter note: The description of this writer for a second one.
    func lock(note: String) throws(DurabilityError) -> any FileLock {
        switch try files.lock(path(FolderNames.lock), note: note) {
        case .taken(let lock): return lock
        case .held(let holder): throw .inUse(place: path, holder: holder.isEmpty ? "another process" : holder)
        }
    }

    /// Creates a file atomically: it is complete and synced, or absent.
    func put(_ bytes: [UInt8], as name: String) throws(DurabilityError) {
        let unfinished = name + FolderNames.unfinished
        let file = try open(unfinished, .replacing)
        defer { file.close() }
        try file.write(bytes, at: 0)
        try file.sync()
        try files.rename(path(unfinished), to: path(name))
        try sync()
    }

    /// Removes unfinished files, and syncs the names that a process gave before it ended.
    func tidy() throws(DurabilityError) {
        for name in try names() where name.hasSuffix(FolderNames.unfinished) { try remove(name) }
        try sync()
    }
}

extension OpenFile {
    /// Writes bytes again that may not have been synced.
    ///
    /// After a failed sync, the system may consider pages written that are not: readers see the bytes, and another sync succeeds without
    /// writing them.
    func rewrite(from start: Int, to end: Int) throws(DurabilityError) {
        var offset = start
        while offset < end {
            let bytes = try read(min(end - offset, 1 << 20), at: offset)
            guard !bytes.isEmpty else { throw .file(.read, path: nil, .device) }
            try write(bytes, at: offset)
            offset += bytes.count
        }
    }
}

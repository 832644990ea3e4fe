#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file system of the machine.
package struct SystemFiles: FileSystem {
    package init() {}

    package func makeFolder(_ path: String) throws(DurabilityError) -> Bool {
        try checkPath("make folder", path)
        if mkdir(path, 0o700) == 0 { return true }
        let failure = failure("make folder", path)
        guard case .file(_, _, EEXIST) = failure, isFolder(path) else { throw failure }
        return false
    }

    package func names(in folder: String) throws(DurabilityError) -> [String] {
        try checkPath("list", folder)
        guard let stream = opendir(folder) else { throw failure("list", folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw failure("list", folder) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    package func open(_ path: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile {
        let flags =
            switch access {
            case .reading: O_RDONLY
            case .writing: O_RDWR
            case .replacing: O_RDWR | O_CREAT | O_TRUNC
            }
        return SystemFile(try openFile(path, flags), path)
    }

    package func rename(_ path: String, to newPath: String) throws(DurabilityError) {
        #if canImport(Darwin)
            let result = Darwin.rename(path, newPath)
        #elseif canImport(Glibc)
            let result = Glibc.rename(path, newPath)
        #elseif canImport(Musl)
            let result = Musl.rename(path, newPath)
        #endif
        guard result == 0 else { throw failure("rename", newPath) }
    }

    package func remove(_ path: String) throws(DurabilityError) {
        guard unlink(path) == 0 else { throw failure("remove", path) }
    }

    package func syncFolder(_ path: String) throws(DurabilityError) {
        let file = SystemFile(try openFile(path.isEmpty ? "." : path, O_RDONLY), path)
        defer { file.close() }
        try file.sync()
    }

    package func lock(_ path: String, note: String) throws(DurabilityError) -> FileLockAnswer {
        let file = SystemFile(try openFile(path, O_RDWR | O_CREAT), path)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = failure("lock", path)
            defer { file.close() }
            guard case .file(_, _, EWOULDBLOCK) = failure else { throw failure }
            return .held(by: String(decoding: try file.read(4096, at: 0), as: UTF8.self))
        }
        do throws(DurabilityError) {
            try file.truncate(to: 0)
            try file.write(Array(note.utf8), at: 0)
        } catch {
            SystemLock(file.descriptor).unlock()
            throw error
        }
        return .taken(SystemLock(file.descriptor))
    }

    private func isFolder(_ path: String) -> Bool {
        guard let stream = opendir(path) else { return false }
        closedir(stream)
        return true
    }

    /// Refuses a path with a NUL, of which the system would use the part before it.
    private func checkPath(_ call: String, _ path: String) throws(DurabilityError) {
        if path.utf8.contains(0) { throw .file(call: call, path: path, code: EINVAL) }
    }

    private func openFile(_ path: String, _ flags: Int32) throws(DurabilityError) -> Int32 {
        try checkPath("open", path)
        while true {
            #if canImport(Darwin)
                let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
            #elseif canImport(Glibc)
                let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
            #elseif canImport(Musl)
                let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
            #endif
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw failure("open", path) }
        }
    }
}

extension FileSystem {
    /// Creates a folder, and those above it, and makes their names durable. Does nothing if it exists.
    func makeFolders(_ path: String) throws(DurabilityError) {
        let parent = parentFolder(of: path) ?? "."
        do throws(DurabilityError) {
            guard try makeFolder(path) else { return }
        } catch {
            guard case .file(_, _, ENOENT) = error, parent != path else { throw error }
            try makeFolders(parent)
            guard try makeFolder(path) else { return }
        }
        try syncFolder(parent)
    }
}

/// Returns the path of the folder that contains a file; nil for a bare name.
private func parentFolder(of path: String) -> String? {
    // Scalars, since a slash and a combining mark behind it are one character.
    let scalars = path.unicodeScalars
    guard let slash = scalars.lastIndex(of: "/") else { return nil }
    return slash == scalars.startIndex ? "/" : String(scalars[..<slash])
}

private func failure(_ call: String, _ path: String) -> DurabilityError { .file(call: call, path: path, code: errno) }

private final class SystemLock: FileLock {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func unlock() {
        // Between its `fork` and its `exec`, a child process has this descriptor as well, and would keep the lock if it were only
        // closed here. `LOCK_UN` releases it for all copies of the descriptor.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}

private final class SystemFile: OpenFile {
    let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    func size() throws(DurabilityError) -> Int {
        // The end of a folder, as `lseek` finds it, may be larger than any memory.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        return Int(status.st_size)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw failure("read", path) }
        }
    }

    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int {
        while true {
            let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw failure("write", path) }
        }
    }

    func truncate(to size: Int) throws(DurabilityError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("truncate", path) }
    }

    func sync() throws(DurabilityError) {
        #if canImport(Darwin)
            // `fsync` leaves the bytes in the cache of the device. Not every file system supports this command.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
            guard errno == ENOTSUP || errno == EINVAL else { throw failure("sync", path) }
        #endif
        guard fsync(descriptor) == 0 else { throw failure("sync", path) }
    }

    func close() {
        // The bytes that matter were synced, so an error adds nothing.
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #endif
    }
}

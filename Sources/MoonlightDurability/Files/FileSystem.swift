/// The calls of a file system that a log needs. Tests replace it by a simulated disk that can crash.
///
/// Nothing is durable before a sync: ``OpenFile/sync()`` makes the bytes of a file durable, and ``syncFolder(_:)`` the names in a
/// folder, as `open`, `rename` and `remove` have left them.
package protocol FileSystem: Sendable {
    /// Creates a folder with mode 0700.
    ///
    /// - Returns: True if it was created, false if it exists.
    func makeFolder(_ path: String) throws(DurabilityError) -> Bool
    /// The names of the files in a folder, in no order.
    func names(in folder: String) throws(DurabilityError) -> [String]
    /// Opens a file.
    func open(_ path: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile
    /// Renames a file, and atomically replaces one that has the new name.
    func rename(_ path: String, to newPath: String) throws(DurabilityError)
    /// Removes a file.
    func remove(_ path: String) throws(DurabilityError)
    /// Makes the names in a folder durable.
    func syncFolder(_ path: String) throws(DurabilityError)
    /// Locks a file, and writes a note into it.
    ///
    /// - Returns: The lock, which ``FileLock/unlock()`` and the end of the process release; or the note of the holder.
    func lock(_ path: String, note: String) throws(DurabilityError) -> FileLockAnswer
}

/// The access for which a file is opened.
package enum FileAccess: Sendable {
    /// Reading. The file must exist.
    case reading
    /// Reading and writing. The file must exist.
    case writing
    /// Reading and writing. The file is created with mode 0600, or emptied if it exists.
    case replacing
}

/// The answer of ``FileSystem/lock(_:note:)``.
package enum FileLockAnswer {
    case taken(any FileLock)
    case held(by: String)
}

/// The lock of a file.
package protocol FileLock: AnyObject, Sendable {
    func unlock()
}

/// An open file. Used by one thread at a time.
package protocol OpenFile: AnyObject {
    /// The number of bytes.
    func size() throws(DurabilityError) -> Int
    /// Reads bytes at an offset.
    ///
    /// - Returns: The number of bytes read; 0 only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int
    /// Writes some of the bytes at an offset.
    ///
    /// - Returns: The number of bytes written.
    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int
    /// Truncates the file.
    func truncate(to size: Int) throws(DurabilityError)
    /// Makes the bytes durable. After a failure it is unknown which bytes are durable, and another call would not help.
    func sync() throws(DurabilityError)
    /// Closes the file. Nothing else may be called afterwards.
    func close()
}

extension OpenFile {
    /// Writes all bytes at an offset. After a failure, some of them may have been written.
    package func write(_ bytes: [UInt8], at offset: Int) throws(DurabilityError) {
        var done = 0
        while done < bytes.count {
            var failure: DurabilityError?
            let count = bytes.withUnsafeBytes { buffer -> Int in
                do throws(DurabilityError) {
                    return try writeSome(UnsafeRawBufferPointer(rebasing: buffer[done...]), at: offset + done)
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            guard count > 0 else { throw DurabilityError.file(call: "write", path: nil, code: 0) }
            done += count
        }
    }

    /// Reads bytes at an offset. Returns fewer than requested only at the end of the file.
    package func read(_ count: Int, at offset: Int) throws(DurabilityError) -> [UInt8] {
        var failure: DurabilityError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                do throws(DurabilityError) {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
                    let read = try self.read(into: rest, at: offset + done)
                    if read == 0 { return }
                    done += read
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

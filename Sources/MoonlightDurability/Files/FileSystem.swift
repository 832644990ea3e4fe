/// What a log needs of a file system. Tests put a disk in its place that can be crashed.
///
/// Nothing is durable before it is synced: the bytes of a file by ``OpenFile/sync()``, and the names in a folder, as they are
/// after `open`, `rename` and `remove`, by ``syncFolder(_:)``.
package protocol FileSystem: Sendable {
    /// Makes a folder, and those above it, with mode 0700. Does nothing if it is there.
    func makeFolder(_ path: String) throws(DurabilityError)
    /// The names of the files in a folder, in no order.
    func names(in folder: String) throws(DurabilityError) -> [String]
    /// Opens a file.
    func open(_ path: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile
    /// Renames a file. One that has the new name is replaced in the same instant.
    func rename(_ path: String, to newPath: String) throws(DurabilityError)
    /// Removes a file.
    func remove(_ path: String) throws(DurabilityError)
    /// Makes the names in a folder durable.
    func syncFolder(_ path: String) throws(DurabilityError)
    /// Takes the lock that a file stands for, and writes a note into the file.
    ///
    /// - Returns: The lock, which is let go by ``FileLock/unlock()`` and by the end of the process; or the note of the holder.
    func lock(_ path: String, note: String) throws(DurabilityError) -> FileLockAnswer
}

/// How a file is opened.
package enum FileAccess: Sendable {
    /// For reading. The file must be there.
    case reading
    /// For reading and writing. The file must be there.
    case writing
    /// For reading and writing. Made with mode 0600; emptied if it is there.
    case replacing
}

/// The answer of ``FileSystem/lock(_:note:)``.
package enum FileLockAnswer {
    case taken(any FileLock)
    case held(by: String)
}

/// A lock of a file that has been taken.
package protocol FileLock: AnyObject, Sendable {
    func unlock()
}

/// An open file. Used by one thread at a time.
package protocol OpenFile: AnyObject {
    /// The number of bytes.
    func size() throws(DurabilityError) -> Int
    /// Reads bytes at an offset.
    ///
    /// - Returns: The number of bytes that were read; 0 only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int
    /// Writes bytes at an offset, perhaps fewer than are given.
    ///
    /// - Returns: The number of bytes that were written.
    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int
    /// Cuts the file.
    func truncate(to size: Int) throws(DurabilityError)
    /// Makes the bytes durable. After a failure it is unknown which of them are; another call would not tell.
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
            guard count > 0 else { throw DurabilityError.file(.write, path: nil, .noProgress) }
            done += count
        }
    }

    /// Reads bytes at an offset: fewer than asked for only at the end of the file.
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

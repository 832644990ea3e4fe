#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Replaces files in one step: a reader finds the old contents or the new ones, complete.
///
/// The new file keeps the mode of the old one, its owner and group as far as the process may set them, and the symbolic links
/// that lead to it. Other hard links keep the old contents. If the group cannot be kept, the new file has no group
/// permissions. A device or another special file is written in place.
package enum FileReplacement {
    /// A failure of the system.
    package struct Failure: Error {
        /// The `errno` of the failed call.
        package let code: Int32
        /// The path that it failed for.
        package let path: String

        /// The failure of the last call of this thread.
        package static func last(_ path: String) -> Failure { Failure(code: errno, path: path) }

        /// The system's description of the reason.
        package var reason: String { SystemCalls.reason(ofError: code) }
    }

    /// Writes bytes to a new file, which then replaces the file at a path, if there is one.
    ///
    /// - Parameters:
    ///   - path: The path. Symbolic links are followed; a link to a missing file creates that file.
    ///   - bytes: The contents.
    ///   - suffix: A suffix to the path of the temporary file; nil for a hidden name that is unique.
    ///   - mode: The permissions of a file that replaces none, restricted by the process's mask.
    ///   - syncs: True to flush the contents to the disk before they replace the old ones.
    /// - Returns: A descriptor of the new file, open for writing, for the caller to close.
    package static func replace(
        _ path: String, by bytes: UnsafeRawBufferPointer, suffix: String? = nil, mode: UInt32 = 0o666, syncs: Bool
    ) throws(Failure) -> Int32 {
        // The system would replace the file at the path up to the NUL.
        if path.utf8.contains(0) { throw Failure(code: EINVAL, path: path) }
        let path = try target(of: path)
        let old = try status(of: path)
        switch old?.kind {
        case nil, .file: break
        case .folder: throw Failure(code: EISDIR, path: path)
        case .other:
            let place = try open(path, O_WRONLY, mode: 0)
            do throws(Failure) { try write(bytes, to: place, path) } catch {
                close(place)
                throw error
            }
            return place
        }
        let (draft, descriptor) = try makeDraft(for: path, suffix, mode: old == nil ? mode : 0o600)
        do throws(Failure) {
            if let old { try keep(old, on: descriptor, draft) }
            try write(bytes, to: descriptor, draft)
            if syncs, fsync(descriptor) != 0 { throw .last(draft) }
            guard rename(draft, path) == 0 else { throw .last(path) }
        } catch {
            close(descriptor)
            unlink(draft)
            throw error
        }
        return descriptor
    }

    private enum Kind {
        case file
        case folder
        case other
    }

    private struct Status {
        let kind: Kind
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
    }

    /// Returns the status of the file at a path; nil if there is none.
    private static func status(of path: String) throws(Failure) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .last(path)
        }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        return Status(kind: kind, mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
    }

    /// Gives a new file the owner, the group and the mode of the old one.
    private static func keep(_ old: Status, on descriptor: Int32, _ path: String) throws(Failure) {
        var new = stat()
        guard fstat(descriptor, &new) == 0 else { throw .last(path) }
        var (isOwnerKept, isGroupKept) = (new.st_uid == old.owner, new.st_gid == old.group)
        if !isOwnerKept, fchown(descriptor, old.owner, old.group) == 0 { (isOwnerKept, isGroupKept) = (true, true) }
        if !isGroupKept { isGroupKept = fchown(descriptor, uid_t.max, old.group) == 0 }
        var mode = old.mode
        if !isGroupKept { mode &= ~0o070 }
        // Otherwise, set-user-id bits would run it as another user.
        if !isOwnerKept || !isGroupKept { mode &= 0o1777 }
        guard fchmod(descriptor, mode) == 0 else { throw .last(path) }
    }

    /// Returns the path that symbolic links lead to.
    private static func target(of path: String) throws(Failure) -> String {
        var path = path
        for _ in 0..<40 {
            guard let next = try link(at: path) else { return path }
            path = next.unicodeScalars.first == "/" ? next : folder(of: path) + next
        }
        throw Failure(code: ELOOP, path: path)
    }

    /// Returns the target of a symbolic link; nil if there is no link at the path.
    private static func link(at path: String) throws(Failure) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        guard count > 0 else { return nil }
        // Repaired, the text would be the path of another file.
        guard let target = String(validating: text[..<count], as: UTF8.self) else { throw Failure(code: EILSEQ, path: path) }
        return target
    }

    /// Creates the temporary file, beside the old one.
    private static func makeDraft(
        for path: String, _ suffix: String?, mode: UInt32
    ) throws(Failure) -> (path: String, descriptor: Int32) {
        if let suffix {
            // A program that was killed may have left one, of any mode.
            unlink(path + suffix)
            return (path + suffix, try open(path + suffix, O_WRONLY | O_CREAT | O_EXCL, mode: mode))
        }
        let folder = folder(of: path)
        while true {
            let draft = "\(folder).new-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
            do throws(Failure) { return (draft, try open(draft, O_WRONLY | O_CREAT | O_EXCL, mode: mode)) } catch {
                if error.code != EEXIST { throw error }
            }
        }
    }

    /// Returns the part of a path up to the last slash; empty for a bare name.
    private static func folder(of path: String) -> String {
        // Scalars, since a slash and a combining mark behind it are one character.
        let scalars = path.unicodeScalars
        return scalars.lastIndex(of: "/").map { String(scalars[...$0]) } ?? ""
    }

    private static func open(_ path: String, _ flags: Int32, mode: UInt32) throws(Failure) -> Int32 {
        while true {
            let descriptor = systemOpen(path, flags | O_CLOEXEC, mode_t(mode))
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw .last(path) }
        }
    }

    /// Writes all bytes to a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - descriptor: The descriptor of the file.
    ///   - path: The path of the file, for the failure.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = UnsafeRawBufferPointer(rebasing: rest)
            let count = systemWrite(descriptor, chunk.baseAddress, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last(path) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Returns the system's description of an error number.
package func reason(ofError code: Int32) -> String { String(cString: strerror(code)) }

// Outside the type, in which `open` and `write` would be its methods.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }

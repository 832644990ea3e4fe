#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension FileStore {
    static let suffix = ".json"

    /// Returns the names of all values, sorted; empty if the folder does not exist yet.
    ///
    /// Only the store's own files count: hidden files, folders, and files that do not end in `.json` are left out.
    ///
    /// - Returns: The names.
    /// - Throws: `folderNotUsable`.
    /// - Complexity: O(n log n), where n is the number of files.
    public func names() throws(FileStoreError) -> [String] {
        try checkFolder()
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            if Self.cause(of: error) == .ENOENT { return [] }
            throw folderFailure(error)
        }
        return files.compactMap(Self.name(ofFile:))
            .filter { name in Self.fault(in: name) == nil && Self.isFile(folder + "/" + name + Self.suffix) }
            .sorted()
    }

    /// Returns whether a value with a name exists.
    ///
    /// - Parameter name: The name.
    /// - Returns: True if it exists.
    /// - Throws: `badName`, `folderNotUsable`, or `notReadable` if the folder may not be searched.
    public func exists(_ name: String) throws(FileStoreError) -> Bool {
        let path = try path(of: name)
        if Self.isFile(path) { return true }
        // Either there is no file or it cannot be seen: the error of a further query shows which.
        do {
            _ = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            if Self.cause(of: error) == .ENOENT { return false }
            throw readingFailure(error, name: name, path: path)
        }
        return false
    }

    /// Removes the value with a name.
    ///
    /// - Parameter name: The name.
    /// - Throws: `badName`, `notFound`, `notWritable` or `folderNotUsable`.
    public func remove(_ name: String) throws(FileStoreError) {
        let path = try path(of: name)
        // Foundation would remove a folder of that name with all its contents.
        if Self.isFolder(path) { throw .notWritable(name: name, path: path, reason: "it is a folder") }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            if Self.cause(of: error) == .ENOENT { throw .notFound(name: name, path: path) }
            throw writingFailure(error, name: name, path: path)
        }
    }

    /// Removes all values; files that are not the store's own are kept. It is no error if another process removes some of them
    /// meanwhile.
    ///
    /// - Throws: The errors of ``names()`` and ``remove(_:)``. The values that were not yet reached are then kept.
    public func removeAll() throws(FileStoreError) {
        try removeAll(names())
    }

    func removeAll(_ names: [String]) throws(FileStoreError) {
        for name in names {
            do {
                try remove(name)
            } catch .notFound {
                // Another process has removed it.
            }
        }
    }

    /// Returns the name of the value in a file; nil if the file does not end in `.json`.
    private static func name(ofFile file: String) -> String? {
        // Scalars, since the dot and a character before it may be one character.
        let scalars = file.unicodeScalars
        let suffix = Self.suffix.unicodeScalars
        return scalars.suffix(suffix.count).elementsEqual(suffix) ? String(scalars.dropLast(suffix.count)) : nil
    }

    /// Returns the path of the file of a value. Throws `badName` or `folderNotUsable`.
    func path(of name: String) throws(FileStoreError) -> String {
        try checkFolder()
        if let fault = Self.fault(in: name) { throw .badName(name, reason: fault) }
        return folder + "/" + name + Self.suffix
    }

    /// Refuses a folder whose path contains NUL: the system would use the part before it.
    private func checkFolder() throws(FileStoreError) {
        if folder.utf8.contains(0) { throw .folderNotUsable(path: folder, reason: "the path contains NUL") }
    }

    /// Creates the folder if it does not exist.
    ///
    /// - Parameter name: The name of the value to be written, for errors.
    func makeFolder(for name: String) throws(FileStoreError) {
        if Self.isFolder(folder) { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            if Self.isFull(error) { throw .diskFull(name: name, path: folder) }
            throw folderFailure(error)
        }
    }

    /// Returns the fault of a name; nil if it is valid. A name is valid only if every supported system accepts it.
    static func fault(in name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.unicodeScalars.first == "." { return "it starts with a dot" }
        for character in name.unicodeScalars {
            if character == "/" || character == "\\" || character == ":" { return "it contains '\(character)'" }
            if character.properties.generalCategory == .control { return "it contains a control character" }
        }
        let room = 255 - suffix.utf8.count
        return name.utf8.count > room ? "it has \(name.utf8.count) bytes, but at most \(room) are allowed" : nil
    }

    static func isFile(_ path: String) -> Bool { isFolderIfThere(path) == false }

    static func isFolder(_ path: String) -> Bool { isFolderIfThere(path) == true }

    /// Returns whether there is a folder at a path; nil if there is nothing.
    private static func isFolderIfThere(_ path: String) -> Bool? {
        #if canImport(FoundationEssentials)
            var isFolder = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder : nil
        #else
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
        #endif
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FileStore {
    static let suffix = ".json"

    /// The names of all values, sorted; none if the folder does not exist yet.
    ///
    /// Files that are not the store's own, hidden ones, folders and whatever does not end in `.json`, do not count.
    /// - Throws: `folderIsAFile` or `folderNotUsable`.
    /// - Complexity: O(n log n) in the number of files.
    public func names() throws(FileStoreError) -> [String] {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            if Self.cause(of: error) == .ENOENT { return [] }
            throw folderFailure(error)
        }
        return files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
            .filter { name in Self.fault(in: name) == nil && Self.isFile(folder + "/" + name + Self.suffix) }
            .sorted()
    }

    /// Whether there is a value of a name.
    ///
    /// - Throws: `badName`, `folderIsAFile`, or `notReadable` if the folder may not be looked into.
    public func exists(_ name: String) throws(FileStoreError) -> Bool {
        let path = try path(of: name)
        if Self.isFile(path) { return true }
        // There is nothing, or it cannot be seen: only asking for more tells which.
        do {
            _ = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            if Self.cause(of: error) == .ENOENT { return false }
            throw readingFailure(error, name: name, path: path)
        }
        return false
    }

    /// Removes the value of a name.
    ///
    /// - Throws: `badName`, `notFound`, `notWritable` or `folderIsAFile`.
    public func remove(_ name: String) throws(FileStoreError) {
        let path = try path(of: name)
        // Foundation would remove a folder of that name with all that is in it.
        if Self.isFolder(path) { throw .notWritable(name: name, path: path, reason: "it is a folder") }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            if Self.cause(of: error) == .ENOENT { throw .notFound(name: name, path: path) }
            throw writingFailure(error, name: name, path: path)
        }
    }

    /// Removes all values; files that are not the store's own stay. That another removes some of them meanwhile is no fault.
    ///
    /// - Throws: As ``names()`` and ``remove(_:)`` do; those not yet reached then stay.
    public func removeAll() throws(FileStoreError) {
        try removeAll(names())
    }

    func removeAll(_ names: [String]) throws(FileStoreError) {
        for name in names {
            do {
                try remove(name)
            } catch .notFound {
                // Another was quicker.
            }
        }
    }

    func path(of name: String) throws(FileStoreError) -> String {
        if let fault = Self.fault(in: name) { throw .badName(name, reason: fault) }
        return folder + "/" + name + Self.suffix
    }

    func makeFolder(for name: String) throws(FileStoreError) {
        if Self.isFolder(folder) { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            if Self.isFull(error) { throw .diskFull(name: name, path: folder) }
            throw folderFailure(error)
        }
    }

    /// What is wrong with a name; nil if nothing is. What one system takes and another does not is refused on both.
    static func fault(in name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.hasPrefix(".") { return "it starts with a point" }
        for character in name.unicodeScalars {
            if character == "/" || character == "\\" || character == ":" { return "'\(character)' is in it" }
            if character.properties.generalCategory == .control { return "a control character is in it" }
        }
        let room = 255 - suffix.utf8.count
        return name.utf8.count > room ? "it has \(name.utf8.count) bytes, and \(room) is the most" : nil
    }

    static func isFile(_ path: String) -> Bool { isFolderIfThere(path) == false }

    static func isFolder(_ path: String) -> Bool { isFolderIfThere(path) == true }

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

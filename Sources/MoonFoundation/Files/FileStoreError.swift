import PlainText

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

/// An error of a ``FileStore``, with a case for each way to fail.
public enum FileStoreError: Error, Hashable, Sendable {
    /// The name cannot be that of a file: it is empty, too long or hidden, or contains a slash or another character
    /// that is not allowed.
    case badName(String, reason: String)
    /// There is no value with that name.
    case notFound(name: String, path: String)
    /// The file exists but cannot be read.
    case notReadable(name: String, path: String, reason: String)
    /// The file was read, but does not contain a value of the type. `codingPath` is the place, as in `items[3].price`.
    case notDecodable(name: String, path: String, codingPath: String, reason: String)
    /// The value cannot be encoded. `codingPath` is the place in the value. The old file is unchanged.
    case notEncodable(name: String, codingPath: String, reason: String)
    /// The file cannot be written or removed. The old one is unchanged.
    case notWritable(name: String, path: String, reason: String)
    /// There is no space left for the file. The old one is unchanged.
    case diskFull(name: String, path: String)
    /// The folder can be neither created nor listed, its path is unknown, or there is a file where it, or a folder above it,
    /// should be; `path` is then that of the file.
    case folderNotUsable(path: String, reason: String)
}

extension FileStoreError: CustomStringConvertible {
    /// A sentence for the person who runs the program, without control characters.
    public var description: String { text.escapingControls }

    private var text: String {
        switch self {
        case .badName(let name, let reason): "'\(name)' cannot be the name of a file: \(reason)"
        case .notFound(let name, let path): "there is no '\(name)': \(path) does not exist"
        case .notReadable(_, let path, let reason): "cannot read \(path): \(reason)"
        case .notDecodable(_, let path, let codingPath, let reason):
            "cannot decode \(path)\(codingPath.isEmpty ? "" : " at \(codingPath)"): \(reason)"
        case .notEncodable(let name, let codingPath, let reason):
            "cannot encode '\(name)'\(codingPath.isEmpty ? "" : " at \(codingPath)"): \(reason)"
        case .notWritable(_, let path, let reason): "cannot write \(path): \(reason)"
        case .diskFull(_, let path): "cannot write \(path): the disk is full"
        case .folderNotUsable(let path, let reason): "cannot use the folder \(path): \(reason)"
        }
    }
}

// Maps the errors of Foundation to errors that a reader can act on.
extension FileStore {
    /// Returns the error for a file that could not be read.
    func readingFailure(_ error: any Error, name: String, path: String) -> FileStoreError {
        switch Self.cause(of: error) {
        case .ENOENT: .notFound(name: name, path: path)
        case .ENOTDIR: fileInTheWay
        default: .notReadable(name: name, path: path, reason: Self.reason(of: error))
        }
    }

    /// Returns the error for a file that could not be written or removed.
    func writingFailure(_ error: any Error, name: String, path: String) -> FileStoreError {
        if Self.isFull(error) { return .diskFull(name: name, path: path) }
        if Self.cause(of: error) == .ENOTDIR { return fileInTheWay }
        return .notWritable(name: name, path: path, reason: Self.reason(of: error))
    }

    /// Returns the error for a folder that could not be made or listed.
    func folderFailure(_ error: any Error) -> FileStoreError {
        switch Self.cause(of: error) {
        case .EEXIST, .ENOTDIR: fileInTheWay
        default: .folderNotUsable(path: folder, reason: Self.reason(of: error))
        }
    }

    /// The error for a file that is where the store's folder, or the nearest folder above it, should be.
    private var fileInTheWay: FileStoreError {
        var path = folder
        while !Self.isFile(path), let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex {
            path = String(path.unicodeScalars[..<slash])
        }
        return .folderNotUsable(path: Self.isFile(path) ? path : folder, reason: "it is a file")
    }

    /// Returns true if the cause of an error is that the disk or the quota is full.
    static func isFull(_ error: any Error) -> Bool {
        let cause = cause(of: error)
        return cause == .ENOSPC || cause == .EDQUOT || (error as? CocoaError)?.code == .fileWriteOutOfSpace
    }

    /// Returns the POSIX code behind an error; nil if there is none.
    static func cause(of error: any Error) -> POSIXError.Code? {
        if let error = error as? POSIXError { return error.code }
        guard let error = error as? CocoaError else { return nil }
        if let underlying = error.underlying as? POSIXError { return underlying.code }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return .ENOENT
        case .fileWriteFileExists: return .EEXIST
        case .fileReadNoPermission, .fileWriteNoPermission: return .EACCES
        case .fileWriteVolumeReadOnly: return .EROFS
        default: return nil
        }
    }

    /// Returns the reason of an error in words.
    private static func reason(of error: any Error) -> String {
        switch cause(of: error) {
        case .EACCES, .EPERM: "permission denied"
        case .EROFS: "the file system is read-only"
        case .EISDIR: "it is a folder"
        case .ENOENT: "its folder does not exist"
        case .ELOOP: "its symbolic links form a cycle"
        case .EILSEQ: "a symbolic link leads to a path that is not UTF-8"
        case .ENAMETOOLONG: "its path is too long"
        case .EMFILE, .ENFILE: "too many files are open"
        case .EIO: "the device failed"
        case let cause?: String(describing: cause)
        case nil: String(describing: error)
        }
    }

    /// Returns the place in a value at which encoding or decoding failed, and the reason.
    static func explain(_ error: any Error) -> (codingPath: String, reason: String) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            (text(of: context.codingPath), "the key '\(key.stringValue)' is missing")
        case DecodingError.valueNotFound(let type, let context):
            (text(of: context.codingPath), "null, where a value of \(type) should be")
        case DecodingError.typeMismatch(let type, let context):
            (text(of: context.codingPath), "not a value of \(type): \(context.debugDescription)")
        case DecodingError.dataCorrupted(let context):
            (text(of: context.codingPath), context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            (text(of: context.codingPath), context.debugDescription)
        default: ("", String(describing: error))
        }
    }

    /// Returns a coding path as text, such as `items[3].price`.
    private static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

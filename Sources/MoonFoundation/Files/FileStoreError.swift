/// An error of a ``FileStore``: one case for each way to fail, with what failed and where.
public enum FileStoreError: Error, Hashable, Sendable {
    /// The name cannot be that of a file: it is empty, too long or hidden, or contains a slash or another character
    /// that is not allowed.
    case badName(String, reason: String)
    /// There is no value with that name.
    case notFound(name: String, path: String)
    /// The file exists but cannot be read.
    case notReadable(name: String, path: String, reason: String)
    /// The file was read, but does not contain a value of the type. `codingPath` says where, as in `items[3].price`.
    case notDecodable(name: String, path: String, codingPath: String, reason: String)
    /// The value cannot be encoded. `codingPath` says where in the value. The old file is unchanged.
    case notEncodable(name: String, codingPath: String, reason: String)
    /// The file cannot be written or removed. The old one is unchanged.
    case notWritable(name: String, path: String, reason: String)
    /// There is no space left for the file. The old one is unchanged.
    case diskFull(name: String, path: String)
    /// There is a file where the folder, or a folder above it, should be.
    case folderIsAFile(path: String)
    /// The folder can be neither created nor listed, or its path is unknown.
    case folderNotUsable(path: String, reason: String)
}

extension FileStoreError: CustomStringConvertible {
    /// A sentence for the person who runs the program.
    public var description: String {
        switch self {
        case .badName(let name, let reason): "'\(name)' cannot be the name of a file: \(reason)"
        case .notFound(let name, let path): "there is no '\(name)': \(path) does not exist"
        case .notReadable(_, let path, let reason): "cannot read \(path): \(reason)"
        case .notDecodable(_, let path, let codingPath, let reason):
            "cannot make sense of \(path)\(codingPath.isEmpty ? "" : " at \(codingPath)"): \(reason)"
        case .notEncodable(let name, let codingPath, let reason):
            "cannot encode '\(name)'\(codingPath.isEmpty ? "" : " at \(codingPath)"): \(reason)"
        case .notWritable(_, let path, let reason): "cannot write \(path): \(reason)"
        case .diskFull(_, let path): "cannot write \(path): the disk is full"
        case .folderIsAFile(let path): "\(path) should be a folder, but is a file"
        case .folderNotUsable(let path, let reason): "cannot use the folder \(path): \(reason)"
        }
    }
}

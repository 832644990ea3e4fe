/// Why a ``FileStore`` could not do what it was asked to: one case for each way to fail, each saying what and where.
public enum FileStoreError: Error, Hashable, Sendable {
    /// The name cannot be a file's: it is empty, too long, hidden, or would lead out of the folder.
    case badName(String, reason: String)
    /// There is no value of that name.
    case notFound(name: String, path: String)
    /// The file is there but cannot be read.
    case notReadable(name: String, path: String, reason: String)
    /// The file was read, but what is in it is not such a value; `codingPath` says where, as in `items[3].price`.
    case notDecodable(name: String, path: String, codingPath: String, reason: String)
    /// The value cannot be turned into a file; `codingPath` says where in the value. The old file is as it was.
    case notEncodable(name: String, codingPath: String, reason: String)
    /// The file cannot be written or removed. The old one is as it was.
    case notWritable(name: String, path: String, reason: String)
    /// There is no room left for the file. The old one is as it was.
    case diskFull(name: String, path: String)
    /// Where the folder should be, or one that it is in, there is a file.
    case folderIsAFile(path: String)
    /// The folder can be neither made nor listed.
    case folderNotUsable(path: String, reason: String)
}

extension FileStoreError: CustomStringConvertible {
    /// A sentence for whoever runs the program.
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

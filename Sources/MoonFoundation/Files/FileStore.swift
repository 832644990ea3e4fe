#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Codable values kept in a folder, each in a JSON file of its own under its name.
///
/// ```swift
/// let store = FileStore(folder: "/var/lib/shop")
/// try store.write(basket, named: "basket")
/// let basket = try store.read(Basket.self, named: "basket")
/// ```
/// - A file is written atomically: under another name, flushed to the disk, then renamed. Whoever reads meanwhile, and
///   whoever starts after the program was killed in the middle, finds the old value or the new one, whole. Of several
///   writers the last one wins. A program killed in the middle may leave a hidden file behind, which no reading sees.
/// - Every way to fail is a ``FileStoreError`` of its own; nothing is ever silently nil.
/// - It may be used from any thread. It blocks: in a loop, call it inside `run`.
/// - A name is compared as the file system does it, which on macOS ignores case.
public struct FileStore: Sendable {
    /// The path of the folder. It is made when the first value is written.
    public let folder: String
    let makeEncoder: @Sendable () -> JSONEncoder
    let makeDecoder: @Sendable () -> JSONDecoder

    /// A store in a folder, which need not exist yet.
    ///
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - makeEncoder: Makes the encoder for a value; by default one that writes sorted keys, a line each, so that
    ///     files can be read and compared.
    ///   - makeDecoder: Makes the decoder for a value.
    public init(
        folder: String,
        makeEncoder: @escaping @Sendable () -> JSONEncoder = FileStore.readableEncoder,
        makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.folder = folder.isEmpty ? "." : folder
        self.makeEncoder = makeEncoder
        self.makeDecoder = makeDecoder
    }

    /// An encoder that sorts keys and gives each a line.
    @Sendable public static func readableEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Reads the value of a name.
    ///
    /// - Throws: `badName`, `notFound`, `notReadable`, `notDecodable` or `folderIsAFile`.
    public func read<Value: Decodable>(
        _ type: Value.Type = Value.self, named name: String
    ) throws(FileStoreError) -> Value {
        let path = try path(of: name)
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path, directoryHint: .notDirectory))
        } catch {
            throw readingFailure(error, name: name, path: path)
        }
        do {
            return try makeDecoder().decode(type, from: data)
        } catch {
            let (codingPath, reason) = Self.explain(error)
            throw .notDecodable(name: name, path: path, codingPath: codingPath, reason: reason)
        }
    }

    /// Reads the value of a name, or takes a default if there is none yet.
    ///
    /// ```swift
    /// let basket = try store.read(named: "basket", default: Basket())
    /// ```
    /// - Throws: As ``read(_:named:)`` does, but for `notFound`: a file that is there and cannot be read is an error.
    public func read<Value: Decodable>(
        named name: String, default value: @autoclosure () -> Value
    ) throws(FileStoreError) -> Value {
        do {
            return try read(Value.self, named: name)
        } catch .notFound {
            return value()
        }
    }

    /// Writes a value under a name, in place of the one that was there.
    ///
    /// - Throws: `badName`, `notEncodable`, `notWritable`, `diskFull`, `folderIsAFile` or `folderNotUsable`; the old
    ///   value is then as it was.
    public func write(_ value: some Encodable, named name: String) throws(FileStoreError) {
        let path = try path(of: name)
        let data: Data
        do {
            data = try makeEncoder().encode(value)
        } catch {
            let (codingPath, reason) = Self.explain(error)
            throw .notEncodable(name: name, codingPath: codingPath, reason: reason)
        }
        try makeFolder(for: name)
        do {
            try data.write(to: URL(filePath: path, directoryHint: .notDirectory), options: .atomic)
        } catch {
            throw writingFailure(error, name: name, path: path)
        }
    }
}

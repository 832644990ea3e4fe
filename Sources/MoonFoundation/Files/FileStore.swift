import SystemCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of `Codable` values, each in a separate JSON file with its name.
///
/// ```swift
/// let store = FileStore(folder: "/var/lib/shop")
/// try store.write(basket, named: "basket")
/// let basket = try store.read(Basket.self, named: "basket")
/// ```
///
/// - A file is written atomically: under another name, flushed to the disk, then renamed. A concurrent reader, and a program that
///   starts after this one was killed, finds either the old value or the new one, complete. Of several writers, the last one
///   wins. A program that is killed during a write may leave a hidden file behind, which the store ignores.
/// - A file that is replaced keeps its mode and, as far as the process may set them, its owner and group. If its path is a
///   symbolic link, the target of the link is replaced. Other hard links to the file keep the old value.
/// - Each way to fail has its own ``FileStoreError``; no failure is turned into nil.
/// - It may be used from any thread. It blocks: in a loop, call it inside `run`.
/// - Names are compared as the file system does; on macOS it ignores case by default.
public struct FileStore: Sendable {
    /// The path of the folder. The folder is created when the first value is written.
    public let folder: String
    let makeEncoder: @Sendable () -> JSONEncoder
    let makeDecoder: @Sendable () -> JSONDecoder

    /// Creates a store in a folder, which need not exist yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - makeEncoder: Makes the encoder for a value. The default sorts the keys and puts each on a separate line, so that files
    ///     can be read and compared.
    ///   - makeDecoder: Makes the decoder for a value.
    public init(
        folder: String,
        makeEncoder: (@Sendable () -> JSONEncoder)? = nil,
        makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.folder = folder.isEmpty ? "." : folder
        self.makeEncoder = makeEncoder ?? Self.readableEncoder
        self.makeDecoder = makeDecoder
    }

    /// Returns an encoder that sorts keys and puts each on a separate line.
    @Sendable private static func readableEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Reads the value with a name.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The name.
    /// - Returns: The value.
    /// - Throws: `badName`, `notFound`, `notReadable`, `notDecodable` or `folderNotUsable`.
    public func read<Value: Decodable>(
        _ type: Value.Type = Value.self, named name: String
    ) throws(FileStoreError) -> Value {
        let path = try path(of: name)
        let data: Data
        do {
            // A URL would expand a tilde at the beginning, and lead to another file.
            let place = path.unicodeScalars.first == "~" ? "./" + path : path
            data = try Data(contentsOf: URL(filePath: place, directoryHint: .notDirectory))
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

    /// Reads the value with a name, or returns a default if there is none yet.
    ///
    /// ```swift
    /// let basket = try store.read(named: "basket", default: Basket())
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The default; evaluated only if needed.
    /// - Returns: The value.
    /// - Throws: The errors of ``read(_:named:)`` except `notFound`: a file that exists and cannot be read is an error.
    public func read<Value: Decodable>(
        named name: String, default value: @autoclosure () -> Value
    ) throws(FileStoreError) -> Value {
        do {
            return try read(Value.self, named: name)
        } catch .notFound {
            return value()
        }
    }

    /// Writes a value under a name, and replaces the previous one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name.
    /// - Throws: `badName`, `notEncodable`, `notWritable`, `diskFull` or `folderNotUsable`. The previous value is then unchanged.
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
            let descriptor = try data.withUnsafeBytes { try FileReplacement.replace(path, by: $0, syncs: true) }
            close(descriptor)
        } catch {
            let code = (error as? FileReplacement.Failure).flatMap { POSIXError.Code(rawValue: $0.code) } ?? .EIO
            throw writingFailure(POSIXError(code), name: name, path: path)
        }
    }
}

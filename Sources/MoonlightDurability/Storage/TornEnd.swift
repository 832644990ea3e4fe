/// The incomplete end of a log that was being written when the process or the machine ended. Its content was never published.
public struct TornEnd: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// The offset in the file at which it begins, in bytes.
    public let offset: Int
    /// The number of bytes that are cut off.
    public let count: Int

    /// Creates the description of a torn end.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: The offset in the file at which it begins, in bytes.
    ///   - count: The number of bytes that are cut off.
    @_spi(Storage) public init(file: String, offset: Int, count: Int) {
        self.file = file
        self.offset = offset
        self.count = count
    }

    /// `00000000000000000001.log: 17 bytes from offset 4120 on are torn`.
    public var description: String { "\(file): \(count) bytes from offset \(offset) on are torn" }
}

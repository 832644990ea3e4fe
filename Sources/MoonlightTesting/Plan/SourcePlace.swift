/// A place in a test's source, as test frameworks want it to show a failure there.
public struct SourcePlace: Sendable, CustomStringConvertible {
    /// The file as `Module/File.swift`.
    public let fileID: StaticString
    /// The file's path.
    public let file: StaticString
    /// The line.
    public let line: UInt
    /// The column.
    public let column: UInt

    /// A place: the caller's, if nothing is given.
    public init(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) { (self.fileID, self.file, self.line, self.column) = (fileID, file, line, column) }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

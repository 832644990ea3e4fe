/// A place in the source of a test, in the form that test frameworks need to report a failure there.
public struct SourcePlace: Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: StaticString
    /// The path of the file.
    public let file: StaticString
    /// The number of the line.
    public let line: UInt
    /// The number of the column.
    public let column: UInt

    /// Creates a place; by default that of the caller.
    public init(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.fileID = fileID
        self.file = file
        self.line = line
        self.column = column
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

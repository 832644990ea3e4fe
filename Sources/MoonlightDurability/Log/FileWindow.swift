/// A file of which only a window is in memory, for reading it from the beginning to the end.
struct FileWindow {
    private let file: any OpenFile
    /// The offset at which the reading ends.
    let end: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private static let size = 1 << 18

    init(_ file: any OpenFile, to end: Int) {
        self.file = file
        self.end = end
    }

    /// Calls a closure with bytes of the file, which must have them.
    mutating func read<Result>(
        _ count: Int, at offset: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(DurabilityError) -> Result {
        try load(count, at: offset)
        let first = offset - start
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
    }

    /// Returns the first offset of a header from one on whose number, behind its first eight bytes, satisfies a predicate.
    mutating func firstHeader(
        of size: Int, from offset: Int, where isFound: (_ number: UInt64, _ offset: Int) -> Bool
    ) throws(DurabilityError) -> Int? {
        var offset = offset
        while end - offset >= size {
            try load(size, at: offset)
            let start = start
            let last = start + bytes.count - size
            let found = bytes.withUnsafeBytes { bytes -> Int? in
                for place in offset...last {
                    let number = bytes.loadUnaligned(fromByteOffset: place - start + 8, as: UInt64.self)
                    if isFound(UInt64(littleEndian: number), place) { return place }
                }
                return nil
            }
            if let found { return found }
            offset = last + 1
        }
        return nil
    }

    private mutating func load(_ count: Int, at offset: Int) throws(DurabilityError) {
        if offset >= start, offset + count <= start + bytes.count { return }
        bytes = try file.read(min(max(count, Self.size), end - offset), at: offset)
        start = offset
        // The file has become shorter since it was measured.
        if bytes.count < count { throw .shortFile }
    }
}

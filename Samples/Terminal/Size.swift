#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The size of a terminal's window.
public struct Size: Equatable, Sendable {
    /// How many characters fit side by side; at least 1.
    public let columns: Int
    /// How many rows there are; at least 1.
    public let rows: Int

    /// A size, of at least one character.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    /// What a terminal says its size is. One that does not know is taken to have the usual 80 by 24.
    init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

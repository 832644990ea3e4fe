#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A cell of a canvas: 16 bytes without a reference, so that rows are compared as memory.
struct Cell: Equatable {
    /// What stands in it.
    var glyph: Glyph
    /// The bits of the color of its character.
    var foreground: UInt32
    /// The bits of the color behind it.
    var background: UInt32
    /// The bits of its attributes.
    var attributes: UInt16
    /// Its link, counted from 1 in the canvas's pool; 0 for none.
    var link: UInt16

    /// A cell as a terminal shows it after it was erased.
    static let blank = Cell(glyph: .space, foreground: 0, background: 0, attributes: 0, link: 0)

    /// Indicates whether it looks like ``blank``: a space whose style cannot be seen.
    var looksBlank: Bool {
        glyph == .space && background == 0 && link == 0 && attributes & Self.seenOnSpaces == 0
    }

    private static let seenOnSpaces =
        (Style.Attributes.underline.rawValue | Style.Attributes.inverse.rawValue | Style.Attributes.strikethrough.rawValue)

    /// Indicates whether two cells look the same.
    func looks(like other: Cell) -> Bool { self == other || (looksBlank && other.looksBlank) }

    /// Indicates whether the styles of two cells are the same.
    func hasStyle(of other: Cell) -> Bool {
        foreground == other.foreground && background == other.background && attributes == other.attributes && link == other.link
    }
}

/// What stands in a cell: a code point, a cluster of a pool, or the second half of a wide character.
struct Glyph: Equatable, Hashable {
    /// The code point or the cluster's place in the lower bits, and what is known of it in the highest.
    let bits: UInt32

    private static let cluster: UInt32 = 1 << 31
    private static let wide: UInt32 = 1 << 30
    private static let doubtful: UInt32 = 1 << 29
    private static let joining: UInt32 = 1 << 27

    /// An empty cell.
    static let space = Glyph(scalar: 0x20)
    /// The second half of the wide character before it.
    static let continuation = Glyph(bits: 1 << 28)

    private init(bits: UInt32) { self.bits = bits }

    /// A code point.
    @inline(__always)
    init(scalar: UInt32, isWide: Bool = false, isDoubtful: Bool = false, isJoining: Bool = false) {
        bits = scalar | (isWide ? Self.wide : 0) | (isDoubtful ? Self.doubtful : 0) | (isJoining ? Self.joining : 0)
    }

    /// A cluster of a pool.
    init(cluster: UInt32, isWide: Bool, isDoubtful: Bool, isJoining: Bool) {
        self.init(scalar: cluster | Self.cluster, isWide: isWide, isDoubtful: isDoubtful, isJoining: isJoining)
    }

    /// The code point, or the cluster's place in the pool.
    var value: UInt32 { bits & 0x07FF_FFFF }
    /// Indicates whether it stands for a cluster of a pool.
    var isCluster: Bool { bits & Self.cluster != 0 }
    /// Indicates whether it takes two cells.
    var isWide: Bool { bits & Self.wide != 0 }
    /// Indicates whether a terminal may count it differently.
    var isDoubtful: Bool { bits & Self.doubtful != 0 }
    /// Indicates whether a terminal may take what follows for a part of it, if nothing comes between.
    var isJoining: Bool { bits & Self.joining != 0 }
    /// Indicates whether it is a color of skin by itself, which a terminal would take for a part of what is before it.
    var isModifier: Bool { !isCluster && (0x1F3FB...0x1F3FF).contains(value) }
    /// Indicates whether it is the second half of a wide character.
    var isContinuation: Bool { self == .continuation }

    /// The same cluster, in another pool.
    func moved(to cluster: UInt32) -> Glyph { Glyph(bits: bits & 0xF800_0000 | cluster) }
}

extension UnsafeBufferPointer<Cell> {
    /// Indicates whether cells are the same as others of the same number.
    @inline(__always)
    func isSameMemory(as other: UnsafeBufferPointer<Cell>) -> Bool {
        assert(count == other.count)
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count * MemoryLayout<Cell>.stride) == 0
    }
}

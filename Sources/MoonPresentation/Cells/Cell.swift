import PlainText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A cell of a canvas: 16 bytes without a reference, so that rows are compared as memory.
struct Cell: Equatable {
    /// The code point, cluster or half of a wide character in the cell.
    var glyph: Glyph
    /// The bits of the character's color.
    var foreground: UInt32
    /// The bits of the background color.
    var background: UInt32
    /// The bits of the attributes.
    var attributes: UInt16
    /// The number of the link in the canvas's pool, counted from 1; 0 for none.
    var link: UInt16

    /// A cell that the terminal has erased.
    static let blank = Cell(glyph: .space, foreground: 0, background: 0, attributes: 0, link: 0)

    /// Indicates whether the cell looks like ``blank``: a space whose style cannot be seen.
    var looksBlank: Bool {
        glyph == .space && background == 0 && link == 0 && attributes & Style.Attributes.seenOnBlanks.rawValue == 0
    }

    /// Indicates whether two cells look the same.
    func looks(like other: Cell) -> Bool { self == other || (looksBlank && other.looksBlank) }

    /// Indicates whether the styles of two cells are the same.
    func hasStyle(of other: Cell) -> Bool {
        foreground == other.foreground && background == other.background && attributes == other.attributes && link == other.link
    }
}

/// The content of a cell: a code point, a cluster of a pool, or the second half of a wide character.
struct Glyph: Equatable, Hashable {
    /// The code point or the cluster's place in the lower bits, and flags in the highest.
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
    /// Indicates whether the value is the place of a cluster in the pool.
    var isCluster: Bool { bits & Self.cluster != 0 }
    /// Indicates whether the character takes two cells.
    var isWide: Bool { bits & Self.wide != 0 }
    /// Indicates whether terminals may count the character's width differently.
    var isDoubtful: Bool { bits & Self.doubtful != 0 }
    /// Indicates whether a terminal may combine the next character with this one.
    var isJoining: Bool { bits & Self.joining != 0 }
    /// Indicates whether the character is a lone skin tone, which a terminal would combine with the character before it.
    var isModifier: Bool { !isCluster && (0x1F3FB...0x1F3FF).contains(value) }
    /// Indicates whether this is the second half of a wide character.
    var isContinuation: Bool { self == .continuation }

    /// The same cluster, in another pool.
    func moved(to cluster: UInt32) -> Glyph { Glyph(bits: bits & 0xF800_0000 | cluster) }
}

extension UnsafeBufferPointer<Cell> {
    /// Compares the memory of two rows of the same length.
    @inline(__always)
    func isSameMemory(as other: UnsafeBufferPointer<Cell>) -> Bool {
        assert(count == other.count)
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count * MemoryLayout<Cell>.stride) == 0
    }
}

/// The strings that do not fit into cells: the clusters of several code points and the links of one canvas.
///
/// Frames that are built the same way fill their pools the same way, so that their cells can be compared as memory.
struct CellPool: Sendable {
    private(set) var clusters: [String] = []
    private(set) var links: [String] = []
    private var placesOfClusters = [String: UInt32]()
    /// Unlike clusters, links that consist of different code points lead to different places.
    private var placesOfLinks = [ExactText: UInt16]()

    /// Indicates whether the pool has no strings.
    var isEmpty: Bool { clusters.isEmpty && links.isEmpty }

    /// The place of a cluster, which is added if it is new.
    mutating func place(ofCluster cluster: String) -> UInt32 {
        // Equal strings may consist of different code points. They look alike, so that one can represent both.
        if let place = placesOfClusters[cluster] { return place }
        let place = UInt32(clusters.count)
        clusters.append(cluster)
        placesOfClusters[cluster] = place
        return place
    }

    /// The number of a link, counted from 1; 0 if there are too many.
    mutating func number(ofLink link: String) -> UInt16 {
        if let number = placesOfLinks[ExactText(link)] { return number }
        guard links.count < Int(UInt16.max) else { return 0 }
        links.append(link)
        let number = UInt16(links.count)
        placesOfLinks[ExactText(link)] = number
        return number
    }

    /// The link of a number.
    func link(_ number: UInt16) -> String? { number == 0 ? nil : links[Int(number) - 1] }

    /// Indicates whether another pool has the same strings at the same places.
    func matches(_ other: CellPool) -> Bool {
        clusters == other.clusters && links.elementsEqual(other.links) { $0.isSame(as: $1) }
    }

    /// Removes all strings, and keeps the memory for new ones.
    mutating func removeAll() {
        guard !isEmpty else { return }
        clusters.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        placesOfClusters.removeAll(keepingCapacity: true)
        placesOfLinks.removeAll(keepingCapacity: true)
    }

    /// Returns a cell of another pool with its strings in this one.
    mutating func adopt(_ cell: Cell, from other: CellPool) -> Cell {
        var cell = cell
        if cell.glyph.isCluster {
            cell.glyph = cell.glyph.moved(to: place(ofCluster: other.clusters[Int(cell.glyph.value)]))
        }
        if let link = other.link(cell.link) { cell.link = number(ofLink: link) }
        return cell
    }
}

extension [Cell] {
    /// Renumbers the clusters and links of a shown frame as in a new one.
    mutating func renumber(from old: CellPool, to new: CellPool) {
        guard !old.isEmpty, !old.matches(new) else { return }
        var common = new
        for index in indices where self[index].glyph.isCluster || self[index].link != 0 {
            self[index] = common.adopt(self[index], from: old)
        }
    }
}

/// What does not fit into a cell: the clusters of several code points and the links of one canvas.
///
/// Frames that are built the same way fill their pools the same way, so that their cells can be compared as memory.
struct CellPool: Sendable {
    private(set) var clusters: [String] = []
    private(set) var links: [String] = []
    private var placesOfClusters = [String: UInt32]()
    private var placesOfLinks = [String: UInt16]()

    /// Indicates whether nothing is in it.
    var isEmpty: Bool { clusters.isEmpty && links.isEmpty }

    /// How many strings it keeps.
    var count: Int { clusters.count + links.count }

    /// The place of a cluster, which is added if it is new.
    mutating func place(ofCluster cluster: String) -> UInt32 {
        // Equal strings may consist of different code points. Either one stands for both: Unicode says that they look alike.
        if let place = placesOfClusters[cluster] { return place }
        let place = UInt32(clusters.count)
        clusters.append(cluster)
        placesOfClusters[cluster] = place
        return place
    }

    /// The number of a link, counted from 1; 0 if there are too many.
    mutating func number(ofLink link: String) -> UInt16 {
        if let number = placesOfLinks[link] { return number }
        guard links.count < Int(UInt16.max) else { return 0 }
        links.append(link)
        let number = UInt16(links.count)
        placesOfLinks[link] = number
        return number
    }

    /// The link of a number.
    func link(_ number: UInt16) -> String? { number == 0 ? nil : links[Int(number) - 1] }

    /// Indicates whether another pool has the same contents at the same places.
    func matches(_ other: CellPool) -> Bool { clusters == other.clusters && links == other.links }

    /// Forgets everything, and keeps the memory.
    mutating func removeAll() {
        guard !isEmpty else { return }
        clusters.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        placesOfClusters.removeAll(keepingCapacity: true)
        placesOfLinks.removeAll(keepingCapacity: true)
    }

    /// A cell of another pool, as a cell of this one.
    mutating func adopt(_ cell: Cell, from other: CellPool) -> Cell {
        var cell = cell
        if cell.glyph.isCluster {
            cell.glyph = cell.glyph.moved(to: place(ofCluster: other.clusters[Int(cell.glyph.value)]))
        }
        if let link = other.link(cell.link) { cell.link = number(ofLink: link) }
        return cell
    }
}

import Streams

/// The natural sizes of a container that were asked for, by room. A container asks its views in two rooms to find its own size; without
/// this, the questions to a view that is nested in others would double with each level.
final class NaturalSizes: Sendable {
    private let known = Lock<[(room: Size, natural: NaturalSize)]>([])
    /// The number of rooms that are remembered. A view is usually asked in two or three.
    private static var most: Int { 8 }

    /// Returns the natural size in a room, and measures it if it is not known.
    func natural(in room: Size, _ measure: () -> NaturalSize) -> NaturalSize {
        if let known = known.withLock({ $0.first { $0.room == room } }) { return known.natural }
        let natural = measure()
        known.withLock { known in
            if known.count == Self.most { known.removeFirst() }
            known.append((room, natural))
        }
        return natural
    }
}

/// A path of SVG. Its numbers are rounded to integers: a difference of a bit somewhere does not show.
struct PicturePath {
    private(set) var text: String
    private var last: (x: Double, y: Double)

    init(_ x: Double, _ y: Double) {
        text = "M\(Self.rounded(x)) \(Self.rounded(y))"
        last = (x, y)
    }

    mutating func line(_ x: Double, _ y: Double) {
        text += " L\(Self.rounded(x)) \(Self.rounded(y))"
        last = (x, y)
    }

    mutating func curve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {
        text += " C" + [x1, y1, x2, y2, x, y].map { "\(Self.rounded($0))" }.joined(separator: " ")
        last = (x, y)
    }

    /// Draws lines to some points, with round corners.
    mutating func corners(_ points: [(x: Double, y: Double)]) {
        for (index, corner) in points.enumerated() {
            guard index + 1 < points.count else { return line(corner.x, corner.y) }
            let (next, before) = (points[index + 1], last)
            let radius = min(7, Self.length(before, corner) / 2, Self.length(corner, next) / 2)
            let (first, second) = (Self.point(from: corner, to: before, radius), Self.point(from: corner, to: next, radius))
            line(first.x, first.y)
            text += " Q" + [corner.x, corner.y, second.x, second.y].map { "\(Self.rounded($0))" }.joined(separator: " ")
            last = second
        }
    }

    private static func length(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double)) -> Double {
        max(abs(from.x - to.x), abs(from.y - to.y))
    }

    /// A point on the line from one point to another, which is horizontal or vertical.
    private static func point(
        from: (x: Double, y: Double), to: (x: Double, y: Double), _ distance: Double
    ) -> (x: Double, y: Double) {
        let length = length(from, to)
        if length == 0 { return from }
        return (from.x + (to.x - from.x) * distance / length, from.y + (to.y - from.y) * distance / length)
    }

    static func rounded(_ number: Double) -> Int { Int(number.rounded()) }
}

/// Where the boxes, arrows and labels of a picture are.
///
/// States are boxes in columns; see ``PictureLayers``. All choices that lead from one state to another are one arrow. As the columns
/// are the distances from the first state, an arrow leads to the next column, stays in its column, or leads back. Labels lie in the
/// gaps between columns, as if they were states, so that none covers another. Arrows that lead back by more than one column run in
/// lanes below the boxes.
struct PictureLayout {
    /// All choices from one state to another.
    struct Arrow {
        let source: Int
        let target: Int
        var choices: [(text: PictureText, isMarked: Bool)] = []
        var path = ""
        /// The point of the arrow, and where it points to.
        var head = (x: 0.0, y: 0.0, direction: Direction.right)
        /// The left end of the label, and its middle.
        var label = (x: 0.0, y: 0.0)

        var isMarked: Bool { choices.contains { $0.isMarked } }
        var labelWidth: Double { (choices.map(\.text.width).max() ?? 0) + 8 }
        var labelHeight: Double { choices.map(\.text.height).reduce(0, +) }
    }

    enum Direction {
        case left
        case right
        case down
    }

    /// A state.
    struct Box {
        let text: PictureText
        var x = 0.0
        var y = 0.0
        var width = 0.0
        var height = 0.0
        /// How much room there is above it, for an arrow from it to itself.
        var head = 0.0
        var middle: Double { y + height / 2 }
    }

    private(set) var boxes: [Box]
    private(set) var arrows: [Arrow]
    private(set) var width = 0.0
    private(set) var height = 0.0

    private let layers: PictureLayers
    /// What leaves or reaches a box at its left or right side: the arrow, and whether it is the arrow's source.
    private struct Port: Hashable {
        let arrow: Int
        let isSource: Bool
    }
    private var left: [[Port]]
    private var right: [[Port]]
    /// The arrows whose labels are in the gap after each column.
    private var gaps: [[Int]]
    private var lanes: [Int] = []

    private static let margin = 16.0
    private static let riser = 9.0

    init(_ picture: ExplorationPicture, marking: Set<ExplorationPicture.Edge>) {
        boxes = picture.states.map { Box(text: PictureText($0, columns: 36, mostLines: 8)) }
        arrows = Self.arrows(of: picture, marking: marking)
        layers = PictureLayers(count: boxes.count, arrows: arrows.map { ($0.source, $0.target) })
        (left, right) = (Array(repeating: [], count: boxes.count), Array(repeating: [], count: boxes.count))
        gaps = Array(repeating: [], count: layers.columns.count)
        sortArrows()
        placeRows()
        placeLabels()
        placeColumns()
        placeLanes()
    }

    private static func arrows(of picture: ExplorationPicture, marking: Set<ExplorationPicture.Edge>) -> [Arrow] {
        let numbers = Dictionary(uniqueKeysWithValues: picture.states.enumerated().map { ($0.element, $0.offset) })
        var (arrows, known) = ([Arrow](), [[Int]: Int]())
        for edge in picture.edges {
            guard let source = numbers[edge.source], let target = numbers[edge.target] else { continue }
            let index = known[[source, target]] ?? arrows.count
            if index == arrows.count { arrows.append(Arrow(source: source, target: target)) }
            known[[source, target]] = index
            arrows[index].choices.append((PictureText(edge.choice, columns: 34, mostLines: 3), marking.contains(edge)))
        }
        return arrows
    }

    /// Tells by which sides the arrows leave and reach their boxes.
    private mutating func sortArrows() {
        for (index, arrow) in arrows.enumerated() where arrow.source != arrow.target {
            let (source, target) = (Port(arrow: index, isSource: true), Port(arrow: index, isSource: false))
            switch layers.layers[arrow.target] - layers.layers[arrow.source] {
            case 0:
                right[arrow.source].append(source)
                right[arrow.target].append(target)
                gaps[layers.layers[arrow.source]].append(index)
            case -1:
                left[arrow.source].append(source)
                right[arrow.target].append(target)
                gaps[layers.layers[arrow.target]].append(index)
            case let distance:
                right[arrow.source].append(source)
                left[arrow.target].append(target)
                if distance == 1 { gaps[layers.layers[arrow.source]].append(index) } else { lanes.append(index) }
            }
        }
        for arrow in arrows where arrow.source == arrow.target { boxes[arrow.source].head = max(20, arrow.labelHeight) + 4 }
        for index in boxes.indices {
            boxes[index].height = max(boxes[index].text.height + 12, 10 * Double(max(left[index].count, right[index].count)) + 6)
        }
    }

    /// Places the boxes from top to bottom: each between those that it is joined with in the column before; then also in the next.
    private mutating func placeRows() {
        var middles = Array(repeating: 0.0, count: boxes.count)
        for round in 0..<4 {
            for (index, column) in layers.columns.enumerated() {
                let wishes = column.map { state in
                    let neighbours = (left[state] + right[state]).map { port in
                        port.isSource ? arrows[port.arrow].target : arrows[port.arrow].source
                    }.filter { round > 0 && layers.layers[$0] == index + 1 || layers.layers[$0] == index - 1 }
                    return PictureLayers.mean(neighbours.map { middles[$0] }) ?? middles[state]
                }
                let sizes = column.map { boxes[$0].height + boxes[$0].head }
                // The room above belongs to the box: what is placed is the middle of both.
                let places = PictureLayers.spread(
                    zip(wishes, column).map { $0 - boxes[$1].head / 2 }, sizes: sizes, gap: 18)
                for (state, place) in zip(column, places) { middles[state] = place + boxes[state].head / 2 }
            }
        }
        for index in boxes.indices { boxes[index].y = middles[index] - boxes[index].height / 2 }
    }

    /// Places the labels of each gap between the boxes that they join, and sorts the arrows at each side by their labels.
    private mutating func placeLabels() {
        for gap in gaps {
            func wish(_ index: Int) -> Double { (boxes[arrows[index].source].middle + boxes[arrows[index].target].middle) / 2 }
            let order = gap.sorted { (wish($0), $0) < (wish($1), $1) }
            let places = PictureLayers.spread(order.map(wish), sizes: order.map { arrows[$0].labelHeight }, gap: 5)
            for (index, place) in zip(order, places) { arrows[index].label.y = place }
        }
        // Lanes are below everything.
        let isLane = Set(lanes)
        func key(_ port: Port) -> (Double, Int, Int) {
            (isLane.contains(port.arrow) ? .infinity : arrows[port.arrow].label.y, port.arrow, port.isSource ? 0 : 1)
        }
        for index in boxes.indices {
            left[index].sort { key($0) < key($1) }
            right[index].sort { key($0) < key($1) }
        }
        // Everything below the upper margin.
        let tops = boxes.map { $0.y - $0.head } + gaps.joined().map { arrows[$0].label.y - arrows[$0].labelHeight / 2 }
        let shift = Self.margin - (tops.min() ?? 0)
        for index in boxes.indices { boxes[index].y += shift }
        for index in arrows.indices { arrows[index].label.y += shift }
        let bottoms = boxes.map { $0.y + $0.height } + gaps.joined().map { arrows[$0].label.y + arrows[$0].labelHeight / 2 }
        height = (bottoms.max() ?? 0) + Self.margin
    }

    /// Places the columns from left to right, and draws all arrows but those in lanes.
    private mutating func placeColumns() {
        let incoming = layers.columns.indices.map { column in lanes.filter { layers.layers[arrows[$0].target] == column }.count }
        let outgoing = layers.columns.indices.map { column in lanes.filter { layers.layers[arrows[$0].source] == column }.count }
        var x = Self.margin
        var starts: [Double] = []
        for (index, column) in layers.columns.enumerated() {
            if incoming[index] > 0 { x += Self.riser * Double(incoming[index]) + 12 }
            let loops = arrows.filter { $0.source == $0.target && layers.layers[$0.source] == index }.map { $0.labelWidth + 34 }
            let width = (column.map { boxes[$0].text.width + 20 } + loops).max() ?? 0
            for state in column { (boxes[state].x, boxes[state].width) = (x, width) }
            x += width + (outgoing[index] > 0 ? Self.riser * Double(outgoing[index]) + 12 : 0)
            starts.append(x)
            let labels = gaps[index].map { arrows[$0].labelWidth }.max()
            x += labels.map { $0 + 64 } ?? (index + 1 < layers.columns.count ? 40 : 0)
        }
        width = x + Self.margin
        for (index, gap) in gaps.enumerated() {
            let end = starts[index] + (gap.map { arrows[$0].labelWidth }.max() ?? 0) + 64
            for arrow in gap { join(arrow, from: starts[index], to: end) }
        }
        for index in arrows.indices where arrows[index].source == arrows[index].target { loop(index) }
    }

    /// The place of a port: ports are at equal distances.
    private func place(_ arrow: Int, isSource: Bool) -> (x: Double, y: Double, isLeft: Bool) {
        let state = isSource ? arrows[arrow].source : arrows[arrow].target
        let (box, port) = (boxes[state], Port(arrow: arrow, isSource: isSource))
        let isLeft = left[state].contains(port)
        let ports = isLeft ? left[state] : right[state]
        let part = (Double(ports.firstIndex(of: port) ?? 0) + 1) / Double(ports.count + 1)
        return (isLeft ? box.x : box.x + box.width, box.y + box.height * part, isLeft)
    }

    /// Draws an arrow through its label in a gap.
    private mutating func join(_ index: Int, from start: Double, to end: Double) {
        let (source, target) = (place(index, isSource: true), place(index, isSource: false))
        let (y, width) = (arrows[index].label.y, arrows[index].labelWidth)
        arrows[index].head = (target.x, target.y, target.isLeft ? .right : .left)
        var path = PicturePath(source.x, source.y)
        if source.isLeft == target.isLeft {
            // In its column: out to the label, and back.
            let x = start + 28
            arrows[index].label.x = x
            path.curve(x, source.y, x, y, x, y)
            path.curve(x, y, x, target.y, target.x + 7, target.y)
        } else {
            let x = (start + end - width) / 2
            arrows[index].label.x = x
            let (near, far) = source.isLeft ? (x + width, x) : (x, x + width)
            path.curve((source.x + near) / 2, source.y, (source.x + near) / 2, y, near, y)
            path.line(far, y)
            let tip = target.x + (target.isLeft ? -7 : 7)
            path.curve((far + tip) / 2, y, (far + tip) / 2, target.y, tip, target.y)
        }
        arrows[index].path = path.text
    }

    /// Draws an arrow from a state to itself, above its box.
    private mutating func loop(_ index: Int) {
        let box = boxes[arrows[index].source]
        var path = PicturePath(box.x + 8, box.y)
        path.curve(box.x + 4, box.y - 22, box.x + 28, box.y - 22, box.x + 24, box.y - 7)
        arrows[index].path = path.text
        arrows[index].head = (box.x + 24, box.y, .down)
        arrows[index].label = (box.x + 32, box.y - arrows[index].labelHeight / 2 - 3)
    }

    /// Draws the arrows in lanes below the boxes, the shortest at the top. Arrows that do not meet share a lane.
    private mutating func placeLanes() {
        var (rights, lefts) = ([Int: Int](), [Int: Int]())
        var rows: [(height: Double, taken: [ClosedRange<Double>])] = []
        var placed: [(index: Int, row: Int, start: Double, end: Double)] = []
        func distance(_ index: Int) -> Int { abs(layers.layers[arrows[index].source] - layers.layers[arrows[index].target]) }
        for index in lanes.sorted(by: { (distance($0), $0) < (distance($1), $1) }) {
            let (source, target) = (place(index, isSource: true), place(index, isSource: false))
            rights[layers.layers[arrows[index].source], default: 0] += 1
            lefts[layers.layers[arrows[index].target], default: 0] += 1
            let start = source.x + 4 + Self.riser * Double(rights[layers.layers[arrows[index].source], default: 0])
            let end = target.x - 12 - Self.riser * Double(lefts[layers.layers[arrows[index].target], default: 0])
            let range = min(start, end) - 8...max(start, end) + 8
            let row = rows.firstIndex { !$0.taken.contains { $0.overlaps(range) } } ?? rows.count
            if row == rows.count { rows.append((0, [])) }
            rows[row].taken.append(range)
            rows[row].height = max(rows[row].height, arrows[index].labelHeight + 6)
            placed.append((index, row, start, end))
        }
        for (index, row, start, end) in placed {
            let (source, target) = (place(index, isSource: true), place(index, isSource: false))
            let y = height + rows[..<row].map(\.height).reduce(0, +) + rows[row].height / 2
            var path = PicturePath(source.x, source.y)
            path.corners([(start, source.y), (start, y), (end, y), (end, target.y), (target.x - 7, target.y)])
            arrows[index].path = path.text
            arrows[index].head = (target.x, target.y, .right)
            arrows[index].label = ((start + end - arrows[index].labelWidth) / 2, y)
        }
        if !rows.isEmpty { height += rows.map(\.height).reduce(0, +) + Self.margin }
    }
}

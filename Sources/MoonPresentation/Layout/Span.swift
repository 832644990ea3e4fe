/// What is known of an item in one direction: two of its edges, extent and middle tell the others.
struct Span {
    private(set) var low: Int?
    private(set) var high: Int?
    private(set) var extent: Int?
    /// The middle in half cells.
    private(set) var middle: Int?

    init() {}

    init(_ range: Range<Int>) {
        (low, high, extent) = (range.lowerBound, range.upperBound, range.count)
        middle = range.lowerBound + range.upperBound
    }

    /// Whether both edges are known.
    var isKnown: Bool { low != nil && high != nil }
    /// Whether nothing is known.
    var isOpen: Bool { low == nil && high == nil && extent == nil && middle == nil }

    subscript(attribute: Constraint.Attribute) -> Int? {
        switch attribute {
        case .low: low
        case .high: high
        case .extent: extent
        case .middle: middle
        }
    }

    /// Makes an attribute known.
    ///
    /// - Returns: Whether the value agrees with what was known before. If it does not, nothing changes.
    mutating func set(_ attribute: Constraint.Attribute, _ value: Int) -> Bool {
        if let known = self[attribute] {
            // An item cannot stand in the exact middle if one of the numbers of cells is odd and the other is even.
            return attribute == .middle && isKnown ? abs(known - value) <= 1 : known == value
        }
        switch attribute {
        case .low: low = value
        case .high: high = value
        case .extent: extent = value
        case .middle: middle = value
        }
        derive()
        return true
    }

    /// Tells the attributes that follow from two others. The cell that is left over beside an item in the middle is behind it.
    private mutating func derive() {
        if let low {
            if let high {
                (extent, middle) = (high - low, low + high)
            } else if let extent {
                (high, middle) = (low + extent, 2 * low + extent)
            } else if let middle {
                (high, extent) = (middle - low, middle - 2 * low)
            }
        } else if let high {
            if let extent {
                (low, middle) = (high - extent, 2 * high - extent)
            } else if let middle {
                (low, extent) = (middle - high, 2 * high - middle)
            }
        } else if let extent, let middle {
            let low = (middle - extent) >> 1
            self.low = low
            high = low + extent
            self.middle = 2 * low + extent
        }
    }
}

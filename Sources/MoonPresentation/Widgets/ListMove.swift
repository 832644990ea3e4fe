/// What a user does with a list: a command, which a reducer folds into the index of the selected row.
///
/// ```swift
/// case .select(let move): state.selected = move.index(from: state.selected, count: state.lines.count)
/// ```
public enum ListMove: Hashable, Sendable {
    /// By some rows; negative numbers lead up.
    case by(Int)
    /// To the first row.
    case first
    /// To the last row.
    case last
    /// To a row.
    case to(Int)

    /// By a row up, or to the one before.
    public static let up = by(-1)
    /// By a row down, or to the one behind.
    public static let down = by(1)

    /// The row that is selected then: one of those that there are, or 0 if there is none.
    ///
    /// - Parameters:
    ///   - index: The row that is selected now.
    ///   - count: The number of rows now.
    public func index(from index: Int, count: Int) -> Int {
        let target =
            switch self {
            case .by(let rows): index.addingReportingOverflow(rows).overflow ? (rows < 0 ? 0 : count) : index + rows
            case .first: 0
            case .last: count - 1
            case .to(let row): row
            }
        return max(0, min(target, count - 1))
    }

    /// The command of a key in a view that shows so many rows; nil if it has none.
    init?(_ key: Key, page: Int) {
        switch key {
        case .up: self = .up
        case .down: self = .down
        case .home: self = .first
        case .end: self = .last
        case .pageUp: self = .by(-max(1, page - 1))
        case .pageDown: self = .by(max(1, page - 1))
        default: return nil
        }
    }
}

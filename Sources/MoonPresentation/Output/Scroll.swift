/// Rows that moved by the same distance, so that the terminal can scroll them.
struct Scroll: Equatable {
    /// The first row of the part of the screen that is scrolled.
    var top: Int
    /// Its last row.
    var bottom: Int
    /// The number of rows to move up; negative for down.
    var distance: Int

    /// Finds the move that saves the most bytes.
    ///
    /// - Parameters:
    ///   - rows: The range of the changed rows.
    ///   - new: The cells to show, row by row.
    ///   - old: The cells that the terminal shows.
    /// - Returns: The move; nil if none saves more than it costs. O(rows² + cells).
    static func find(
        in rows: Range<Int>, new: UnsafeBufferPointer<Cell>, old: UnsafeBufferPointer<Cell>, width: Int
    ) -> Scroll? {
        guard rows.count >= 3 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: rows.count * 2) { hashes in
            for (index, row) in rows.enumerated() {
                hashes[index] = hash(new, row, width)
                hashes[rows.count + index] = hash(old, row, width)
            }
            let (newHashes, oldHashes) = (
                UnsafeBufferPointer(rebasing: hashes[..<rows.count]), UnsafeBufferPointer(rebasing: hashes[rows.count...])
            )
            guard let (first, last, distance) = longestRun(newHashes, oldHashes) else { return nil }
            let search = Search(new: new, old: old, width: width, rows: rows)
            let run = (rows.lowerBound + first)...(rows.lowerBound + last)
            return search.scroll(run, distance: distance)
        }
    }

    /// A hash of a row. Rows with equal hashes count as equal: on a collision, the move saves less than expected, and the
    /// difference is written nevertheless.
    private static func hash(_ cells: UnsafeBufferPointer<Cell>, _ row: Int, _ width: Int) -> UInt64 {
        var hash: UInt64 = 0
        let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: cells[row * width..<(row + 1) * width]))
        for offset in stride(from: 0, to: rest.count, by: 16) {
            let (text, look) = (
                rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                rest.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            )
            // Only the rotation depends on the previous cell, so that the products of several cells are computed in parallel.
            hash = (hash << 5 | hash >> 59) ^ (text ^ look &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        }
        return hash
    }

    /// The run of rows and the distance that make the most changed rows right.
    private static func longestRun(
        _ new: UnsafeBufferPointer<UInt64>, _ old: UnsafeBufferPointer<UInt64>
    ) -> (first: Int, last: Int, distance: Int)? {
        var best: (first: Int, last: Int, distance: Int)?
        var most = 0
        for distance in (1 - new.count)..<new.count where distance != 0 {
            var (gain, first) = (0, -1)
            for row in max(0, -distance)..<min(new.count, new.count - distance) {
                guard new[row] == old[row + distance] else {
                    (gain, first) = (0, -1)
                    continue
                }
                if first < 0 { first = row }
                if new[row] != old[row] { gain += 1 }
                // Among equal gains, the shortest distance wins.
                if gain > most || gain == most && gain > 0 && abs(distance) < abs(best?.distance ?? 0) {
                    (most, best) = (gain, (first, row, distance))
                }
            }
        }
        return best
    }

    /// The search for the bounds and the gain of a move.
    private struct Search {
        let new: UnsafeBufferPointer<Cell>
        let old: UnsafeBufferPointer<Cell>
        let width: Int
        let rows: Range<Int>

        private func cells(_ cells: UnsafeBufferPointer<Cell>, _ row: Int) -> UnsafeBufferPointer<Cell> {
            UnsafeBufferPointer(rebasing: cells[row * width..<(row + 1) * width])
        }

        /// The approximate bytes to write a row over another one; over a blank row if nil.
        func cost(_ row: Int, over other: Int?) -> Int {
            let fresh = cells(new, row)
            var count = 0
            if let other {
                let shown = cells(old, other)
                if fresh.isSameMemory(as: shown) { return 0 }
                for column in 0..<width where !fresh[column].looks(like: shown[column]) { count += 1 }
            } else {
                for cell in fresh where !cell.looksBlank { count += 1 }
            }
            // The cursor has to be moved, too.
            return count == 0 ? 0 : count + 4
        }

        /// Extends a run by similar rows. Returns nil if the move does not save bytes.
        func scroll(_ run: ClosedRange<Int>, distance: Int) -> Scroll? {
            var (first, last) = (run.lowerBound, run.upperBound)
            // Rows at the end from which the run moves: below it for a move up, above it for a move down.
            while rows.contains(last + 1), rows.contains(last + 1 + distance), pays(last + 1, distance, isTrailing: distance > 0)
            {
                last += 1
            }
            while rows.contains(first - 1), rows.contains(first - 1 + distance),
                pays(first - 1, distance, isTrailing: distance < 0)
            {
                first -= 1
            }
            let (top, bottom) = (min(first, first + distance), max(last, last + distance))
            // First the rows that the move leaves inexact, then those that it makes right, until the gain exceeds the price.
            var saved = 0
            for row in top...bottom where !run.contains(row) {
                let moved = (first...last).contains(row) ? row + distance : nil
                saved += cost(row, over: row) - cost(row, over: moved)
            }
            for row in run where saved <= Self.price { saved += cost(row, over: row) }
            return saved > Self.price ? Scroll(top: top, bottom: bottom, distance: distance) : nil
        }

        /// The bytes of a move: setting and resetting the margins, the scroll, and moving the cursor back.
        private static let price = 24

        /// Indicates whether moving a row is cheaper than writing it.
        private func pays(_ row: Int, _ distance: Int, isTrailing: Bool) -> Bool {
            if isTrailing {
                let beyond = row + distance
                return cost(row, over: beyond) + cost(beyond, over: nil) < cost(row, over: nil) + cost(beyond, over: beyond)
            }
            return cost(row, over: row + distance) < cost(row, over: row)
        }
    }
}

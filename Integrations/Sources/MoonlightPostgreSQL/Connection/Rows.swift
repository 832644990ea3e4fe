import CPostgreSQL

/// The rows returned by a statement.
final class Rows: @unchecked Sendable {
    // Sound: a result does not change.
    private let result: OpaquePointer
    let count: Int

    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    private func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        if PQgetisnull(result, Int32(row), Int32(column)) != 0 { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)), count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { field(row, column).map { Array($0) } ?? [] }
    func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    /// Returns an integer of any width; nil for NULL.
    func number(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = field(row, column), let first = bytes.first else { return nil }
        return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    func isTrue(_ row: Int, _ column: Int) -> Bool { field(row, column)?.first == 1 }
    func sequence(_ row: Int, _ column: Int) -> UInt64 { UInt64(bitPattern: number(row, column) ?? 0) }
    func version(_ row: Int, _ column: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(row, column) ?? 0) }
}

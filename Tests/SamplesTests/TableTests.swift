import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import TableSample

@Suite("Samples: table")
struct TableTests {
    @Test("The last of a million rows is reached with one key")
    func end() throws {
        try Plan(program(), size: Size(columns: 44, rows: 6))
            .press(.down, .down)
            .frame { try $0.compare(toPictureOf: "table", "Numbers with their squares; the third row is selected") }
            .press(.end)
            .then(equals: 999_999)
            .frame { #expect($0.rows.contains { $0.contains("1000000000000") }) }
            .run()
    }
}

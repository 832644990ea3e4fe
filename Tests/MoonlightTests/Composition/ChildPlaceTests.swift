import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Names of parts of a state")
struct PlaceTests {
    private struct Row {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var row_2 = 0
        // swift-format-ignore: IdentifiersMustBeASCII
        var größe = [0]
        var next: Int { row_2 + 1 }
    }
    private struct Table { var rows1 = Row() }

    @Test("The name of a part is the last property of its key path, for any letters, digits and underscores")
    func named() {
        expectEqual(propertyName(of: \Row.row_2), "row_2")
        expectEqual(propertyName(of: \Row.größe), "größe")
        expectEqual(propertyName(of: \Table.rows1), "rows1")
        expectEqual(propertyName(of: \Table.rows1.row_2), "row_2")
    }

    @Test("A part that is the whole, an element, or computed has no name")
    func unnamed() {
        expect(propertyName(of: \Row.self) == nil)
        expect(propertyName(of: \Row.größe[0]) == nil)
        expect(propertyName(of: \Row.next) == nil)
    }
}

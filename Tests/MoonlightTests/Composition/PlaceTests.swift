import Testing

@testable import Moonlight

@Suite("The name of a part")
struct PlaceTests {
    private struct Row {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var row_2 = 0
        // swift-format-ignore: IdentifiersMustBeASCII
        var größe = [0]
        var next: Int { row_2 + 1 }
    }
    private struct Table { var rows1 = Row() }

    @Test("is that of the last property, whatever letters, digits and underscores it is made of")
    func named() {
        #expect(propertyName(of: \Row.row_2) == "row_2")
        #expect(propertyName(of: \Row.größe) == "größe")
        #expect(propertyName(of: \Table.rows1) == "rows1")
        #expect(propertyName(of: \Table.rows1.row_2) == "row_2")
    }

    @Test("a part overlaps itself, what it is in, and nothing beside it")
    func regions() {
        struct Three {
            var (a, b, c) = (1, 2, 3)
            var sum: Int {
                get { a + b + c }
                set { a = newValue }
            }
        }
        let stored = [Place(\Three.a), Place(\Three.b), Place(\Three.c)].map(\.region)
        for (index, one) in stored.enumerated() {
            for (otherIndex, other) in stored.enumerated() { #expect(one.overlaps(other) == (index == otherIndex)) }
            for whole in [Place(\Three.self).region, Place(\Three.sum).region, .everything] {
                #expect(one.overlaps(whole) && whole.overlaps(one))
            }
        }
    }

    @Test("is none if the part is the whole, an element, or computed")
    func unnamed() {
        #expect(propertyName(of: \Row.self) == nil)
        #expect(propertyName(of: \Row.größe[0]) == nil)
        #expect(propertyName(of: \Row.next) == nil)
    }
}

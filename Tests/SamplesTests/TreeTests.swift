import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import TreeSample

@Suite("Samples: tree")
struct TreeTests {
    @Test("Branches open and close, and Enter shows the selected item")
    func branches() throws {
        try Plan(program(), size: Size(columns: 50, rows: 8))
            .press(.down, .right, .down, .enter)
            .then(\.opened, equals: "Tranquillity")
            .frame { try $0.compare(toPictureOf: "tree", "A tree with two open branches, and the item that was opened") }
            .press(.left, .left)
            .then(\.tree.expanded, equals: ["Moon"])
            .run()
    }
}

import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import TabsSample

@Suite("Samples: tabs")
struct TabsTests {
    @Test("Tab moves the focus, the arrows switch pages, and each page has its own views")
    func pages() throws {
        try Plan(program(), size: Size(columns: 40, rows: 11))
            .type("!")
            .then(\.name.text, equals: "Luna!")
            .frame {
                try $0.compare(toPictureOf: "tabs", "Three tabs, and a page with two fields, the first of which has the focus")
            }
            .press(.shift(.tab), .right, .tab, .enter)
            .then(\.isDark, equals: false)
            .run()
    }
}

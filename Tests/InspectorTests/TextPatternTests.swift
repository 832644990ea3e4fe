import MoonlightTestSupport
import Testing

@testable import MoonlightInspector

@Suite("Inspector: texts to search for")
struct TextPatternTests {
    @Test("Small letters find capitals, and capitals find only themselves")
    func capitals() {
        expect(TextPattern("moon").matches("a Moon") && TextPattern("moon").matches("MOON"))
        expect(TextPattern("Moon").matches("a Moon") && !TextPattern("Moon").matches("a moon"))
        expect(!TextPattern("moon").matches("mo") && TextPattern("").matches(""))
        expect(TextPattern("é").matches("café") && !TextPattern("moon").matches("mOo"))
        expect(TextPattern("[x").matches("a[x]") && !TextPattern("{").matches("["))
    }
}

import Testing

@testable import MoonlightInspector

@Suite("Inspector: texts that are searched for")
struct TextPatternTests {
    @Test("small letters find capitals, and capitals only themselves")
    func capitals() {
        #expect(TextPattern("moon").matches("a Moon") && TextPattern("moon").matches("MOON"))
        #expect(TextPattern("Moon").matches("a Moon") && !TextPattern("Moon").matches("a moon"))
        #expect(!TextPattern("moon").matches("mo") && TextPattern("").matches(""))
        #expect(TextPattern("é").matches("café") && !TextPattern("moon").matches("mOo"))
        #expect(TextPattern("[x").matches("a[x]") && !TextPattern("{").matches("["))
    }
}

import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Terminals: errands of the program that is shown")
struct ErrandsTests {
    @Test("An errand of a program that has ended does not reach the next one on the terminal")
    func next() {
        let errands = Errands()
        expect(!errands.add(.end(.finished)))
        let first = errands.open {}
        expect(errands.add(.end(.finished), for: first))
        errands.close()
        expect(!errands.add(.end(.finished), for: first))
        let second = errands.open {}
        expect(!errands.add(.end(.finished), for: first))
        expect(errands.take().isEmpty)
        expect(errands.add(.end(.quit), for: second))
        expect(errands.add(.end(.quit)))
        expectEqual(errands.take().count, 2)
    }
}

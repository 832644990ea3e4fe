import Streams
import Testing

@Suite("CombineIdentifier")
struct CombineIdentifierTests {
    private final class Thing: CustomCombineIdentifierConvertible {}

    @Test("no two made alone are equal")
    func unique() {
        #expect(Set((0..<1_000).map { _ in CombineIdentifier() }).count == 1_000)
    }

    @Test("that of an object is the same each time and another for another object")
    func ofObject() {
        let (a, b) = (Thing(), Thing())
        #expect(a.combineIdentifier == a.combineIdentifier)
        #expect(a.combineIdentifier == CombineIdentifier(a))
        #expect(a.combineIdentifier != b.combineIdentifier)
    }

    @Test("it is printed in hexadecimal")
    func description() {
        #expect(CombineIdentifier().description.hasPrefix("0x"))
        #expect(CombineIdentifier().description != CombineIdentifier().description)
    }

    @Test("an operator that only passes on has the identifier of the subscriber behind it")
    func passed() {
        let recorder = Recorder<Int, Oops>()
        #expect(AnySubscriber(recorder).combineIdentifier == recorder.combineIdentifier)
        #expect(AnySubscriber(AnySubscriber(recorder)).combineIdentifier == recorder.combineIdentifier)
    }
}

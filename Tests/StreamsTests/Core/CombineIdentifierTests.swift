import MoonlightTestSupport
import Streams
import Testing

@Suite("CombineIdentifier")
struct CombineIdentifierTests {
    private final class Thing: CustomCombineIdentifierConvertible {}

    @Test("`CombineIdentifier()` is different for each call")
    func unique() {
        expectEqual(Set((0..<1_000).map { _ in CombineIdentifier() }).count, 1_000)
    }

    @Test("The identifier of an object is always the same, and differs from another object's")
    func ofObject() {
        let (a, b) = (Thing(), Thing())
        expectEqual(a.combineIdentifier, a.combineIdentifier)
        expectEqual(a.combineIdentifier, CombineIdentifier(a))
        expect(a.combineIdentifier != b.combineIdentifier)
    }

    @Test("An identifier is printed in hexadecimal")
    func description() {
        expect(CombineIdentifier().description.hasPrefix("0x"))
        expect(CombineIdentifier().description != CombineIdentifier().description)
    }

    @Test("An `AnySubscriber` has the identifier of the subscriber that it wraps")
    func passed() {
        let recorder = Recorder<Int, Oops>()
        expectEqual(AnySubscriber(recorder).combineIdentifier, recorder.combineIdentifier)
        expectEqual(AnySubscriber(AnySubscriber(recorder)).combineIdentifier, recorder.combineIdentifier)
    }
}

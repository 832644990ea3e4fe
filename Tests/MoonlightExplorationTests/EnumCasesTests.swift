import Testing

@testable import MoonlightExploration

private enum Light: CaseIterable { case red, amber, green }
private enum Named: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    case plain
    case loaded(Int)
    var description: String { "custom" }
    var debugDescription: String { "custom" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
private enum Mixed {
    case first
    case second(String)
    case third
    case fourth(left: Int, right: [Mixed])
    case `default`
    indirect case fifth(Mixed)
}
private enum Result2<Value, Problem> {
    case done(Value)
    case failed(Problem)
    case neither
}
private enum Raw: String {
    case one = "eins"
    case two = "zwei"
}
private enum Unit { case only }
private enum Wrapping { case wrapped(Light) }
private enum Impossible {}
private enum Hardly {
    case never(Never)
    case always
}
private struct Structure { var light = Light.red }
private final class Object {}

@Suite("Exploration: cases of enums")
struct EnumCasesTests {
    @Test("a case is known by its name, without its payload")
    func names() {
        #expect(Light.allCases.map { EnumCases.name(of: $0) } == ["red", "amber", "green"])
        #expect(EnumCases.name(of: Mixed.second("first")) == "second")
        #expect(EnumCases.name(of: Mixed.fourth(left: 1, right: [.first])) == "fourth")
        #expect(EnumCases.name(of: Mixed.fifth(.fifth(.third))) == "fifth")
        #expect(EnumCases.name(of: Mixed.default) == "default")
        #expect(EnumCases.name(of: Raw.two) == "two")
        #expect(EnumCases.name(of: Unit.only) == "only")
        #expect(EnumCases.name(of: Wrapping.wrapped(.green)) == "wrapped")
        #expect(EnumCases.name(of: Hardly.always) == "always")
    }

    @Test("a description or a mirror of its own does not change the name")
    func customized() {
        #expect(EnumCases.name(of: Named.plain) == "plain")
        #expect(EnumCases.name(of: Named.loaded(3)) == "loaded")
        #expect(EnumCases.names(of: Named.self) == ["loaded", "plain"])
    }

    @Test("generic and local enums have names")
    func generic() {
        enum Local<Value> {
            case here(Value)
            case there
        }
        #expect(EnumCases.name(of: Result2<Int, String>.failed("done")) == "failed")
        #expect(EnumCases.name(of: Result2<Light, Never>.neither) == "neither")
        #expect(EnumCases.names(of: Result2<Int, String>.self) == ["done", "failed", "neither"])
        #expect(EnumCases.names(of: Result2<[Light], Never>.self) == ["done", "failed", "neither"])
        #expect(EnumCases.name(of: Local<Int>.there) == "there")
        #expect(EnumCases.names(of: Local<Int>.self) == ["here", "there"])
        #expect(EnumCases.names(of: Result<Int, any Error>.self) == ["success", "failure"])
    }

    @Test("all cases of a type are listed, those with payloads first, in the order of the source")
    func all() {
        #expect(EnumCases.names(of: Light.self) == ["red", "amber", "green"])
        #expect(EnumCases.names(of: Mixed.self) == ["second", "fourth", "fifth", "first", "third", "default"])
        #expect(EnumCases.names(of: Raw.self) == ["one", "two"])
        #expect(EnumCases.names(of: Unit.self) == ["only"])
        #expect(EnumCases.names(of: Wrapping.self) == ["wrapped"])
        #expect(EnumCases.names(of: Impossible.self) == [])
        #expect(EnumCases.names(of: Hardly.self) == ["never", "always"])
    }

    @Test("an optional is some or none, whatever it holds")
    func optionals() {
        #expect(EnumCases.name(of: Optional(Light.red) as Any) == "some")
        #expect(EnumCases.name(of: Light?.none as Any) == "none")
        #expect(EnumCases.names(of: Light?.self) == ["some", "none"])
    }

    @Test("a value in an existential of another protocol is seen through")
    func existentials() {
        let hashable: any Hashable = Light.amber
        #expect(EnumCases.name(of: hashable) == "amber")
        #expect(EnumCases.names(of: Swift.type(of: hashable)) == ["red", "amber", "green"])
    }

    @Test("what is no enum has no cases")
    func others() {
        #expect(EnumCases.name(of: Structure()) == nil)
        #expect(EnumCases.name(of: Object()) == nil)
        #expect(EnumCases.name(of: 7) == nil)
        #expect(EnumCases.name(of: (Light.red, 1)) == nil)
        #expect(EnumCases.name(of: { () -> Void in }) == nil)
        let types: [Any.Type] = [
            Structure.self, Object.self, Int.self, Void.self, (Light, Int).self, (() -> Void).self, Any.self, AnyObject.self,
            (any Error).self, Light.Type.self, [Light].self, AnyHashable.self, Never?.Type.self, String.self,
        ]
        for type in types { #expect(EnumCases.names(of: type) == nil, "\(type)") }
    }
}

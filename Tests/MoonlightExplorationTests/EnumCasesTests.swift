import MoonlightTestSupport
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
    @Test("The name of a case leaves its payload out")
    func names() {
        expectEqual(Light.allCases.map { EnumCases.name(of: $0) }, ["red", "amber", "green"])
        expectEqual(EnumCases.name(of: Mixed.second("first")), "second")
        expectEqual(EnumCases.name(of: Mixed.fourth(left: 1, right: [.first])), "fourth")
        expectEqual(EnumCases.name(of: Mixed.fifth(.fifth(.third))), "fifth")
        expectEqual(EnumCases.name(of: Mixed.default), "default")
        expectEqual(EnumCases.name(of: Raw.two), "two")
        expectEqual(EnumCases.name(of: Unit.only), "only")
        expectEqual(EnumCases.name(of: Wrapping.wrapped(.green)), "wrapped")
        expectEqual(EnumCases.name(of: Hardly.always), "always")
    }

    @Test("The name of a case does not depend on a custom description or mirror")
    func customized() {
        expectEqual(EnumCases.name(of: Named.plain), "plain")
        expectEqual(EnumCases.name(of: Named.loaded(3)), "loaded")
        expectEqual(EnumCases.names(of: Named.self), ["loaded", "plain"])
    }

    @Test("Cases of generic and local enums have names")
    func generic() {
        enum Local<Value> {
            case here(Value)
            case there
        }
        expectEqual(EnumCases.name(of: Result2<Int, String>.failed("done")), "failed")
        expectEqual(EnumCases.name(of: Result2<Light, Never>.neither), "neither")
        expectEqual(EnumCases.names(of: Result2<Int, String>.self), ["done", "failed", "neither"])
        expectEqual(EnumCases.names(of: Result2<[Light], Never>.self), ["done", "failed", "neither"])
        expectEqual(EnumCases.name(of: Local<Int>.there), "there")
        expectEqual(EnumCases.names(of: Local<Int>.self), ["here", "there"])
        expectEqual(EnumCases.names(of: Result<Int, any Error>.self), ["success", "failure"])
    }

    @Test("The cases of a type are listed with those that have payloads first, each group in the order of the source")
    func all() {
        expectEqual(EnumCases.names(of: Light.self), ["red", "amber", "green"])
        expectEqual(EnumCases.names(of: Mixed.self), ["second", "fourth", "fifth", "first", "third", "default"])
        expectEqual(EnumCases.names(of: Raw.self), ["one", "two"])
        expectEqual(EnumCases.names(of: Unit.self), ["only"])
        expectEqual(EnumCases.names(of: Wrapping.self), ["wrapped"])
        expectEqual(EnumCases.names(of: Impossible.self), [])
        expectEqual(EnumCases.names(of: Hardly.self), ["never", "always"])
    }

    @Test("The case of an optional is some or none, whatever it holds")
    func optionals() {
        expectEqual(EnumCases.name(of: Optional(Light.red) as Any), "some")
        expectEqual(EnumCases.name(of: Light?.none as Any), "none")
        expectEqual(EnumCases.names(of: Light?.self), ["some", "none"])
    }

    @Test("The case of a value in an existential of another protocol is that of the value")
    func existentials() {
        let hashable: any Hashable = Light.amber
        expectEqual(EnumCases.name(of: hashable), "amber")
        expect(EnumCases.names(of: Swift.type(of: hashable)) == ["red", "amber", "green"])
    }

    @Test("Values and types other than enums have no cases")
    func others() {
        expect(EnumCases.name(of: Structure()) == nil)
        expect(EnumCases.name(of: Object()) == nil)
        expect(EnumCases.name(of: 7) == nil)
        expect(EnumCases.name(of: (Light.red, 1)) == nil)
        expect(EnumCases.name(of: { () -> Void in }) == nil)
        let types: [Any.Type] = [
            Structure.self, Object.self, Int.self, Void.self, (Light, Int).self, (() -> Void).self, Any.self, AnyObject.self,
            (any Error).self, Light.Type.self, [Light].self, AnyHashable.self, Never?.Type.self, String.self,
        ]
        for type in types { expect(EnumCases.names(of: type) == nil, "\(type)") }
    }
}

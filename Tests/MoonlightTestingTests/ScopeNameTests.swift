import MoonlightTestSupport
import Testing

@testable import MoonlightTesting

private struct Outer {
    struct Inner {
        var value = 0
        var computed: Int { value }
    }
    var inner = Inner()
}

@Suite("The name of a scope in a plan")
struct ScopeNameTests {
    @Test("The name of a scope is the last property of its path, or the child's type if the path has no name")
    func names() {
        expectEqual((\Outer.inner as AnyKeyPath).scopeName(of: Outer.Inner.self), "inner")
        expectEqual((\Outer.inner.value as AnyKeyPath).scopeName(of: Int.self), "value")
        expectEqual((\Outer.self as AnyKeyPath).scopeName(of: Outer.self), "Outer#")
        expectEqual((\Outer.inner.computed as AnyKeyPath).scopeName(of: Int.self), "Int#")
    }
}

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
    @Test("is that of the last property of its path, or the child's type if that has none")
    func names() {
        #expect((\Outer.inner as AnyKeyPath).scopeName(of: Outer.Inner.self) == "inner")
        #expect((\Outer.inner.value as AnyKeyPath).scopeName(of: Int.self) == "value")
        #expect((\Outer.self as AnyKeyPath).scopeName(of: Outer.self) == "Outer#")
        #expect((\Outer.inner.computed as AnyKeyPath).scopeName(of: Int.self) == "Int#")
    }
}

/// Returns the name of a value's case, without its payload. Metrics and spans need names of low cardinality that disclose no
/// values.
///
/// - Parameter value: A case of an enum; for any other value, the result is the name of its type.
package func caseName(of value: Any) -> String {
    caseName(value).map { String(cString: $0) } ?? "\(type(of: value))"
}

/// The function by which the standard library prints cases. The description of a value may be any text, and a mirror has no label for
/// a case without associated values.
@_silgen_name("swift_EnumCaseName") private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

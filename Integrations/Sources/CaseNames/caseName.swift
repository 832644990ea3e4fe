/// Returns the name of a value's case, without its payload. Metrics and spans need names of low cardinality that disclose no
/// values.
///
/// - Parameter value: A case of an enum; for any other value, the result is the name of its type.
package func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "\(type(of: value))" }
    return mirror.children.first?.label ?? "\(value)"
}

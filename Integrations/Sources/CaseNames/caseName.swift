/// Returns the name of a value's case, without what the case holds, as the name of a metric or a span must be: there may be few of them,
/// and they may be shown to others than the values are.
///
/// - Parameter value: A case of an enum; of another value, the type is named.
package func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "\(type(of: value))" }
    return mirror.children.first?.label ?? "\(value)"
}

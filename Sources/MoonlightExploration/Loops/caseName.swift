/// Returns the name of the case of an enum value, without its payload; nil if the value is no enum.
///
/// A case without a payload is known by its description. An optional is `some` or `none`.
func caseName(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.isEmpty ? "none" : "some"
    case .enum: return mirror.children.first.map { $0.label ?? "" } ?? "\(value)"
    default: return nil
    }
}

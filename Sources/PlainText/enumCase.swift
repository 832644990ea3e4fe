/// Returns the name of the case of an enum, without associated values.
///
/// The description of a value is no substitute: a type can describe itself by any text.
///
/// - Parameter value: The value.
/// - Returns: The name; nil if the value is not an enum, or its type was compiled without metadata for reflection. An optional is
///   `some` or `none`.
package func enumCase(of value: Any) -> String? { caseName(value).map { String(cString: $0) } }

/// The function by which the standard library prints cases. A mirror has no label for a case without associated values.
@_silgen_name("swift_EnumCaseName") private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

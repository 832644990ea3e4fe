import Moonlight

/// The changes between two values, as text.
func diff<Value>(_ before: Value, _ after: Value) -> [String] {
    StateChange.between(before, after).map(\.description)
}

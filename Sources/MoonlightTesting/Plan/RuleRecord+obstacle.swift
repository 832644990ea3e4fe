import Moonlight

extension RuleRecord {
    /// The reason why the rule did not fire, as a line of a trace: `rule pay blocked by: the basket is not empty`. Nil if it fired.
    package var obstacle: String? {
        let rule = "rule \(path.isRoot ? name : "\(path)/\(name)")"
        return switch step {
        case .fired: nil
        case .blocked(let given): "\(rule) blocked by\(given.text == nil ? "" : ":") \(given)"
        case .failed(let given, let error): "\(rule) failed in \(given.text.map { "\"\($0)\"" } ?? given.description): \(error)"
        }
    }
}

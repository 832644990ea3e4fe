/// A bound of the steps and bytes that a recording keeps.
package struct RecordingBound: Sendable {
    /// The minimal number of steps to keep. Up to an eighth more may be kept.
    package let steps: Int
    /// The approximate maximal number of bytes to keep; a single segment is kept whatever its size.
    package let bytes: Int

    /// The number of steps in a segment, with a full state at its beginning.
    var segment: Int { min(512, max(1, steps / 8)) }

    /// Returns the bound for the given number of last steps.
    ///
    /// - Parameters:
    ///   - steps: The number of steps, at least 1.
    ///   - bytes: The number of bytes, at least 1; by default 64 MiB.
    package static func last(_ steps: Int, bytes: Int = 64 << 20) -> RecordingBound {
        precondition(steps > 0 && bytes > 0, "a recording that keeps \(steps) steps and \(bytes) bytes: both must be at least 1")
        return RecordingBound(steps: steps, bytes: bytes)
    }
}

/// The number of entries that may be pending, so that they take no more memory than the kept steps.
///
/// An entry retains the states before and after an effect. They share the parts that the effect has not changed; the changed
/// parts were copied, as a dictionary is copied as a whole if one value changes. Their size is known only from the trees, so
/// it is estimated from the entries that were encoded last.
struct WaitingBound {
    /// The average bytes that an entry retains.
    private var average = 0.0

    /// Begins a loop: before its effects are known, they are assumed to change everything.
    mutating func begin(with tree: StateTree?) { average = max(average, Double(tree?.size ?? 0)) }

    /// Counts the changes of an effect in a tree.
    mutating func note(_ changes: [TreeChange], in tree: StateTree) {
        var most = 0
        for change in changes {
            var (place, copied): (StateTree, Int) = (tree, change.value?.size ?? 0)
            for name in change.path {
                copied += place.parts.count * StateTree.sizeOfPart
                guard let next = place.part(name) else { break }
                place = next
            }
            most = max(most, copied)
        }
        add(most)
    }

    /// Counts the other contents of a step.
    mutating func note(_ step: StepRecord) { if step.kind != .effect { add(step.text.utf8.count + step.json.utf8.count) } }

    private mutating func add(_ bytes: Int) { average += (Double(bytes) - average) / 16 }

    /// Returns the number of entries.
    func count(within bound: RecordingBound) -> Int {
        let bytes = 256 + Int(average)
        return max(16, min(bound.steps, bound.bytes / bytes))
    }
}

extension StateTree {
    /// The approximate size of a part in bytes, without its text.
    static var sizeOfPart: Int { 48 }

    /// The approximate size of the value in bytes.
    var size: Int {
        switch self {
        case .leaf(let text): Self.sizeOfPart + text.utf8.count
        case .node(_, _, let parts): parts.reduce(Self.sizeOfPart) { $0 + $1.name.utf8.count + $1.value.size }
        }
    }
}

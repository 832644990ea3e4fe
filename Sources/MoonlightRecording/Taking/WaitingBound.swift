/// How many entries may wait to be encoded, so that they take no more memory than what is kept.
///
/// An entry keeps the states before and after an effect. They share what the effect has not changed; what it has changed was
/// copied, as a dictionary of which one value changes is copied as a whole. How much that is in bytes shows only in the trees, so
/// it is an estimate, from the entries that were encoded last.
struct WaitingBound {
    /// The bytes that an entry takes on average, beside its own.
    private var average = 0.0

    /// A loop begins: until it is known what its effects change, they may change everything.
    mutating func begin(with tree: StateTree?) { average = max(average, Double(tree?.size ?? 0)) }

    /// Takes what an effect has changed in a tree.
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

    /// Takes what else a step keeps.
    mutating func note(_ step: StepRecord) { if step.kind != .effect { add(step.text.utf8.count + step.json.utf8.count) } }

    private mutating func add(_ bytes: Int) { average += (Double(bytes) - average) / 16 }

    /// The number of entries.
    func count(within bound: RecordingBound) -> Int {
        let bytes = 256 + Int(average)
        return max(16, min(bound.steps, bound.bytes / bytes))
    }
}

extension StateTree {
    /// About how many bytes a part of a value takes, without its text.
    static var sizeOfPart: Int { 48 }

    /// About how many bytes the value takes.
    var size: Int {
        switch self {
        case .leaf(let text): Self.sizeOfPart + text.utf8.count
        case .node(_, _, let parts): parts.reduce(Self.sizeOfPart) { $0 + $1.name.utf8.count + $1.value.size }
        }
    }
}

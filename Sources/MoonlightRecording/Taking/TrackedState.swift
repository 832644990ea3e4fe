/// A state that changes, and its tree, which changes with it.
struct TrackedState<State: Equatable> {
    private(set) var value: State
    private(set) var tree: StateTree
    /// The number of parts in the tree, and whether some were left out because they were too many.
    private var (count, isCut): (Int, Bool)
    /// The number of parts that a tree may have when it is made, and may grow to by an eighth.
    private let most: Int

    init(_ value: State, most: Int = TreeMaker.mostParts) {
        var maker = TreeMaker(most: most)
        self.value = value
        self.most = most
        tree = maker.tree(of: value)
        (count, isCut) = (tree.count, maker.isCut)
    }

    /// Changes the state.
    ///
    /// - Returns: What has changed in the tree, in the order in which it has to be changed.
    mutating func change(to new: State) -> [TreeChange] {
        let difference = TreeDifference(in: tree, from: value, to: new, most: most)
        let changes = difference.changes
        value = new
        if difference.isCut { isCut = true }
        for change in changes {
            count += (change.value?.count ?? 0) - (tree[change.path]?.count ?? 0)
            tree.apply(change)
        }
        guard count > most + most / 8 else { return changes }
        self = TrackedState(new, most: most)
        return [TreeChange([], tree)]
    }

    /// Looks anew at a state of which parts were left out. To be called now and then.
    mutating func refresh() {
        if isCut { self = TrackedState(value, most: most) }
    }
}

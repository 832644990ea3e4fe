extension Sequence {
    /// Returns the elements, sorted by a key; those with equal keys keep their order.
    ///
    /// The function is not specialized. The code of a sort is long, and each specialized copy prolongs the build of every program;
    /// the lists that are sorted here are read by people.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func ordered<Key: Comparable>(by key: (Element) -> Key) -> [Element] { sorted { key($0) < key($1) } }
}

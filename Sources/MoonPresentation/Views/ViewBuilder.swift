/// Makes views of a block. Each is identified by its place in the block, so that one that comes and goes by an `if` does not disturb the
/// others; those of a loop by their order, or better by an ``View/id(_:)``.
@resultBuilder
public enum ViewBuilder<Event: Sendable> {
    /// A view in a container, with the place that identifies it among its siblings.
    public struct Child: Sendable {
        /// The view.
        public let view: any View<Event>
        var place = ViewPlace(number: 0)

        fileprivate func within(_ outer: Int) -> Child {
            var child = self
            // The places of inner blocks are told apart from those of outer ones by mixing the bits.
            child.place.number = (place.number &+ 1) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: outer &+ 1)
            return child
        }
    }

    /// A view.
    public static func buildExpression(_ view: some View<Event>) -> [Child] { [Child(view: view)] }
    /// A view whose type is not known.
    public static func buildExpression(_ view: any View<Event>) -> [Child] { [Child(view: view)] }
    /// The views of a function that has made them by a builder.
    public static func buildExpression(_ children: [Child]) -> [Child] { children }
    /// The views of a block.
    public static func buildBlock(_ parts: [Child]...) -> [Child] { nested(parts) }
    /// The views of an `if`, if its condition holds.
    public static func buildOptional(_ part: [Child]?) -> [Child] { part ?? [] }
    /// The views of the first branch.
    public static func buildEither(first part: [Child]) -> [Child] { part.map { $0.within(0) } }
    /// The views of the second branch.
    public static func buildEither(second part: [Child]) -> [Child] { part.map { $0.within(1) } }
    /// The views of a loop.
    public static func buildArray(_ parts: [[Child]]) -> [Child] { nested(parts) }

    private static func nested(_ parts: [[Child]]) -> [Child] {
        var children: [Child] = []
        for (index, part) in parts.enumerated() {
            for child in part { children.append(child.within(index)) }
        }
        return children
    }
}

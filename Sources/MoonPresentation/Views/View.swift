/// A part of the screen as a pure function of the state.
///
/// A view is a value that has a natural size, draws itself on a ``Surface``, and turns keys, the mouse and pasted text into
/// events. It is made again for each frame. A view at the same place, or with the same ``id(_:)``, keeps its scroll position and
/// the focus.
///
/// Most views are functions that combine other views:
///
/// ```swift
/// func card(_ note: Note) -> some View<NoteEvent> {
///     Rows {
///         Text(note.title, style: .bold)
///         Text(note.text)
///     }
///     .border(.rounded)
/// }
/// ```
///
/// ``map(_:)`` maps the events of a child to those of its parent, as `scoped` does for reducers.
public protocol View<Event>: Sendable {
    /// An event of the view.
    associatedtype Event: Sendable

    /// The size that the view prefers in a room. By default it is flexible.
    ///
    /// - Parameter room: The available size. Its width is that of the view when the height is requested.
    func naturalSize(in room: Size) -> NaturalSize

    /// Draws the view, and registers its handlers of input.
    ///
    /// Called for each frame, with any size, which may be empty.
    func draw(on surface: inout Surface<Event>)
}

extension View {
    /// No natural size.
    public func naturalSize(in room: Size) -> NaturalSize { .flexible }

    /// The id and the length of the view, for containers.
    var traits: ViewTraits { (self as? any TraitsView)?.traits ?? ViewTraits() }
}

/// A view of the library. Its size and its drawing are those of the protocol ``View``, so that each view's page has only its
/// initializers.
protocol Widget: View {
    /// The natural size: see ``View/naturalSize(in:)``.
    func preferredSize(in room: Size) -> NaturalSize

    /// Draws the view: see ``View/draw(on:)``.
    func paint(on surface: inout Surface<Event>)
}

extension Widget {
    /// The natural size of the view.
    public func naturalSize(in room: Size) -> NaturalSize { preferredSize(in: room) }

    /// Draws the view.
    public func draw(on surface: inout Surface<Event>) { paint(on: &surface) }

    func preferredSize(in room: Size) -> NaturalSize { .flexible }
}

/// A view that has traits: ``View/id(_:)`` and ``View/length(_:)`` make one, and the library's modifiers pass them on.
protocol TraitsView: View {
    var traits: ViewTraits { get }
}

/// A view that changes another one, and passes its traits and its natural size on.
protocol ModifiedView: TraitsView {
    associatedtype Child: View
    var view: Child { get }
}

extension ModifiedView {
    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize { view.naturalSize(in: room) }
}

/// The id and the length of a view, which ``View/id(_:)`` and ``View/length(_:)`` set, for its container.
struct ViewTraits: Sendable {
    /// The id of the view among its siblings; nil if its place identifies it.
    var id: ViewID?
    /// The length of the view in rows, columns and grids.
    var length = Length.automatic
}

/// A value that identifies a view among its siblings.
struct ViewID: Hashable, Sendable, CustomStringConvertible {
    /// An object, so that copies of an id, which is mostly nil, are one word.
    private let kept: Kept

    private final class Kept: Sendable {
        let value: any Hashable & Sendable
        init(_ value: some Hashable & Sendable) { self.value = value }
    }

    /// Creates an id.
    init(_ value: some Hashable & Sendable) { kept = Kept(value) }

    /// Indicates whether two ids are the same value of the same type.
    static func == (one: ViewID, other: ViewID) -> Bool { AnyHashable(one.kept.value) == AnyHashable(other.kept.value) }
    /// Hashes the value.
    func hash(into hasher: inout Hasher) { AnyHashable(kept.value).hash(into: &hasher) }
    /// The value as text.
    var description: String { String(describing: kept.value) }
}

/// Builds the children of a container. Each is identified by its place in the block, so that a view in an `if` does not affect
/// the others. Views of a loop are identified by their order, or better by a ``View/id(_:)``.
@resultBuilder
public enum ViewBuilder<Event: Sendable> {
    /// A view in a container, with the place that identifies it among its siblings.
    public struct Child: Sendable {
        /// The view.
        let view: any View<Event>
        var place = ViewPlace(number: 0)

        fileprivate func within(_ outer: Int) -> Child {
            var child = self
            // Mixing the bits distinguishes the places of inner blocks from those of outer ones.
            child.place.number = (place.number &+ 1) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: outer &+ 1)
            return child
        }
    }

    /// A view.
    public static func buildExpression(_ view: some View<Event>) -> [Child] { [Child(view: view)] }
    /// The views of a function with a builder.
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

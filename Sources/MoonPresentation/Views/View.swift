/// A part of the screen as a pure function of the state.
///
/// A view is a value: it says how large it would like to be, and draws itself. What it is asked to draw with, a ``Surface``, also takes
/// what the view does with keys, the mouse and pasted text: it answers with events. A view that is made again for the next frame, at
/// the same place or with the same ``id(_:)``, continues where the last one was: its scroll position and the focus are kept.
///
/// Most views are made of others, by a function:
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
/// The events of a child become those of its parent by ``map(_:)``, as its reducer does by `scoped`.
public protocol View<Event>: Sendable {
    /// An event of the view.
    associatedtype Event: Sendable

    /// The size that the view would like to have in a room. Views that have none in a direction take what they get.
    ///
    /// - Parameter room: The most that there is. Its width is that of the view when the height is asked for.
    func naturalSize(in room: Size) -> NaturalSize

    /// Draws the view, and registers what it does with input.
    ///
    /// It is called for each frame, with any size, down to nothing. What lies outside of the surface is cut off.
    func draw(on surface: inout Surface<Event>)

    /// The id and the length of the view, for containers. A view that wraps another one passes on that view's traits.
    var traits: ViewTraits { get }
}

extension View {
    /// No natural size.
    public func naturalSize(in room: Size) -> NaturalSize { .flexible }
    /// No id, and an automatic length.
    public var traits: ViewTraits { ViewTraits() }
}

/// The id and the length of a view, which ``View/id(_:)`` and ``View/length(_:)`` set, for the container that it stands in.
public struct ViewTraits: Sendable, Hashable {
    /// The id that identifies the view among its siblings; nil if its place does.
    var id: ViewID?
    /// How long the view is in rows, columns and grids.
    var length: Length

    init(id: ViewID? = nil, length: Length = .automatic) {
        self.id = id
        self.length = length
    }
}

/// A value that identifies a view among its siblings.
struct ViewID: Hashable, Sendable, CustomStringConvertible {
    /// In an object, so that most copies of ids, which are copies of nil, are of one word.
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

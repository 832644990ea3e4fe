import Moonlight
import Streams

extension Program {
    /// Runs the program without a terminal, for a test that presses keys and looks at frames.
    ///
    /// - Parameter size: The size of the screen.
    /// - Throws: A ``ProgramError`` if the program is wrong in itself, as if a key is in a table twice.
    public func pilot(size: Size = Size(columns: 80, rows: 24)) throws(ProgramError) -> Pilot<State, Event> {
        try settings.check()
        let (loop, notes) = start()
        return Pilot(loop, notes, settings, size)
    }
}

/// A program that is run by a test instead of a user: keys go in, frames come out. There is no terminal, and no time passes.
///
/// ```swift
/// let pilot = try program.pilot(size: Size(columns: 30, rows: 5))
/// pilot.type("milk")
/// pilot.press(.enter)
/// #expect(pilot.frame.text.contains("milk"))
/// #expect(pilot.state.lines == ["milk"])
/// ```
/// Effects that are ready have happened when ``press(_:)`` returns. Those that come later are the test's to bring about, with an
/// environment of stubs and a virtual clock; the next look at ``frame`` shows what they did.
///
/// A pilot belongs to the code that made it: use it on one thread, or in one task, at a time.
public final class Pilot<State: Equatable & Sendable, Event: Sendable> {
    private let core: ProgramCore<State, Event>

    init(_ loop: ProgramLoop<State, Event>, _ notes: ProgramNotes, _ settings: ProgramSettings<State, Event>, _ size: Size) {
        core = ProgramCore(loop, notes, settings, size: size, wake: {})
    }

    deinit { core.close() }

    /// Presses keys, one after another.
    ///
    /// - Parameter keys: The keys. Those after the one that ends the program do nothing.
    public func press(_ keys: Key...) { for key in keys { send(.key(key)) } }

    /// Types a text, character by character.
    public func type(_ text: String) { for character in text { send(.key(.character(character))) } }

    /// Sends any input, such as pasted text or the mouse.
    public func send(_ input: InputEvent) {
        core.take(input)
        if core.wantsSuspension { core.wantsSuspension = false }
    }

    /// Sends an event, as a stream of the program's feedback would.
    public func send(_ event: Event) { core.store.send(event) }

    /// Gives the screen another size.
    public func resize(to size: Size) { send(.resize(size)) }

    /// The frame of the state of this moment.
    public var frame: Canvas { core.frame() ?? core.canvas }

    /// The title that the last frame gave the window.
    public var title: String? { core.title }

    /// Throws the first constraint that the frame of this moment cannot satisfy, if there is any. A program draws such a frame all the
    /// same.
    public func checkLayout() throws(LayoutIssue) {
        _ = core.frame()
        if let issue = core.issues.first { throw issue }
    }

    /// The state of this moment.
    public var state: State { core.store.state }

    /// The reason why the program is over; nil while it is not.
    public var ending: ProgramEnding? {
        _ = core.frame()
        return core.ending
    }

    /// The error that the program's view has thrown, which has ended the program.
    public var failure: (any Error)? {
        _ = core.frame()
        return core.failure
    }

    /// The store that runs the program, for a test that waits until nothing is in flight.
    public var store: Store<State, Event> { core.store }
}

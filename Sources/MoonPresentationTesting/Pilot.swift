import MoonPresentation
import Moonlight

extension Program {
    /// Runs the program without a terminal, for a test that presses keys and checks frames.
    ///
    /// - Parameter size: The size of the screen.
    /// - Throws: A `ProgramError` if a table has a key twice.
    public func pilot(size: Size = Size(columns: 80, rows: 24)) throws(ProgramError) -> Pilot<State, Event> {
        Pilot(try startCore(size: size))
    }
}

/// A program that a test runs: keys go in, frames come out, without a terminal and without real time.
///
/// ```swift
/// let pilot = try program.pilot(size: Size(columns: 30, rows: 5))
/// pilot.type("milk")
/// pilot.press(.enter)
/// #expect(pilot.frame.rows[0] == "> milk")
/// #expect(pilot.state.lines == ["milk"])
/// ```
/// When ``press(_:)`` returns, synchronous effects have been applied. A test controls later ones by an environment of stubs and a
/// virtual clock; the next ``frame`` shows their result.
///
/// A pilot is not thread-safe.
public final class Pilot<State: Equatable & Sendable, Event: Sendable> {
    private let core: ProgramCore<State, Event>

    init(_ core: ProgramCore<State, Event>) { self.core = core }

    deinit { core.close() }

    /// Presses keys, one after another.
    ///
    /// - Parameter keys: The keys. Those after the end of the program have no effect.
    public func press(_ keys: Key...) { for key in keys { send(.key(key)) } }

    /// Types a text, character by character.
    ///
    /// - Parameter text: The text. A line break is Enter.
    public func type(_ text: String) { for input in InputEvent.typing(text) { send(input) } }

    /// Sends an input, such as pasted text or a use of the mouse.
    public func send(_ input: InputEvent) {
        core.take(input)
        if core.wantsSuspension { core.wantsSuspension = false }
    }

    /// Resizes the screen.
    package func resize(to size: Size) { send(.resize(size)) }

    /// The frame of the current state.
    public var frame: Canvas { core.frame() ?? core.canvas }

    /// The window's title by the last frame.
    public var title: String? { core.title }

    /// Checks that the constraints of the current frame can be satisfied. A program draws other frames as well.
    ///
    /// - Throws: An error that names the view, the constraint and the line that declares it.
    public func checkLayout() throws {
        _ = core.frame()
        if let issue = core.issues.first { throw issue }
    }

    /// The current state.
    public var state: State { core.store.state }

    /// The reason of the program's end; nil while it runs.
    public var ending: ProgramEnding? {
        _ = core.frame()
        return core.ending
    }

    /// The error by which the program's view has ended the program.
    public var failure: (any Error)? {
        _ = core.frame()
        return core.failure
    }

    /// The store of the program, for tests that send events, or that wait until nothing is in flight.
    public var store: Store<State, Event> { core.store }
}

/// What whoever has a terminal, a thread or a queue, does with a program on it. All methods are called there.
protocol TerminalSession: AnyObject {
    /// The bytes for the terminal that have not been taken yet. No frame is made while there are some.
    var output: [UInt8] { get set }
    /// Why the program is over, if it is.
    var ending: ProgramEnding? { get }
    /// The error that has ended the program, if one has.
    var failure: (any Error)? { get }
    /// Indicates whether a key that suspends the program was pressed; to be set to false by who does it.
    var wantsSuspension: Bool { get set }
    /// How long to wait for the rest of what was typed; nil if it is complete.
    var pause: Duration? { get }
    /// What the terminal answers before it answers nothing more; false while that is awaited.
    var hasAnswered: Bool { get }
    /// What ends the modes that the terminal is in.
    var restoration: [UInt8] { get }

    /// Begins the modes, and makes the first frame.
    func open()
    /// Takes what was typed.
    func receive(_ bytes: ArraySlice<UInt8>)
    /// Says that there is no more now.
    func endOfBytes()
    /// Says that nothing has come for as long as ``pause`` says.
    func endOfPause()
    /// Prints lines above the program, if it has no screen of its own.
    func print(_ lines: [StyledText])
    /// Sends bytes that are no part of a frame.
    func send(_ bytes: [UInt8])
    /// Says that the terminal has another size.
    func resize(to size: Size)
    /// Makes a frame, if there is a new one and it is its time.
    ///
    /// - Parameter now: The time, which is not looked at for a frame that a key asks for.
    /// - Returns: How long until the time for a frame that is put off; nil if there is none.
    func turn(at now: @autoclosure () -> ContinuousClock.Instant) -> Duration?
    /// Says that the thread is about to sleep; false if it must not.
    func fallAsleep(isPutOff: Bool) -> Bool
    /// Says that the thread is awake.
    func awake()
    /// Ends the modes, for a while.
    func suspend()
    /// Begins the modes again, and draws everything anew.
    func resume(size: Size)
    /// Calls a function, on any thread, when nothing of the program's loop is in flight, or the loop has ended.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void)
    /// Ends the program for a reason that is not its own.
    func end(_ ending: ProgramEnding)
    /// Ends the modes, and the program with all that it does.
    func close()
}

/// The log of a member that is awake, as the writer and the fleet see it.
protocol WrittenMember: AnyObject, Sendable {
    var id: String { get }
    /// Where the fleet has it.
    var place: FleetPlace { get }
    /// Why it could not be written; nil if it could. Nothing of it is written after a failure.
    var failure: DurabilityError? { get }
    var hasFailed: Bool { get }
    /// When it wants to be sent the event of its alarm, in nanoseconds since 1970; nil for never.
    var alarm: Int64? { get }

    // MARK: From the writer

    /// Everything up to a record has been written, to the degree that was asked for.
    func wrote(through sequence: UInt64)
    /// What was to be written has not been.
    func failed(_ error: DurabilityError)
    /// Nothing is left to be written: another may own the log now.
    func closed()

    // MARK: From the fleet

    /// The fleet knows it from now on.
    ///
    /// - Returns: Whether it was closed before, so that the fleet has to be told of that now.
    func noteRegistered() -> Bool
}

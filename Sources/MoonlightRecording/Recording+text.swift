extension Recording {
    /// Returns the source of a plan that replays the recording and checks the states.
    ///
    /// Feedback that waits for answers or for time is not part of the plan, unless it is passed here: the events that it sent
    /// are in the recording, and are played as events from outside.
    ///
    /// - Parameters:
    ///   - last: The number of the last step; by default the last of all.
    ///   - reducer: The reducer in Swift; nil to take it from the source of the recording, if that can be read.
    ///   - environment: The closure that creates the environment from stubs, in Swift; nil to take it from the source.
    ///   - feedback: The expression that creates the feedback, in Swift; nil to take it from the source.
    public func planSource(
        to last: Int = .max, reducer: String? = nil, environment: String? = nil, feedback: String? = nil
    ) throws(RecordingError) -> String {
        try Script.planSource(reader, to: last, reducer: reducer, environment: environment, feedback: feedback)
    }

    /// Returns the trace of the recording, for readers who do not write Swift.
    ///
    /// - Parameter last: The number of the last step; by default the last of all.
    public func trace(to last: Int = .max) throws(RecordingError) -> String {
        let reader = reader
        return try Script(reader, to: last).trace(reader)
    }

    /// Returns the recording as a page: one self-contained HTML file that works from disk.
    ///
    /// A program that serves the page can keep it up to date while it is open:
    ///
    /// ```swift
    /// let page = try recording.page(updates: "recording/updates")    // at /recording?token=…
    /// let event = "data: \(try recording.pageContent())\n\n"         // at /recording/updates?token=…, as text/event-stream
    /// ```
    /// - Parameter updates: The path from which the page receives server-sent events, each with a new ``pageContent()`` as
    ///   its data, relative to the path of the page; nil for a static page. The page passes its own query on, and the
    ///   reader's selection stays.
    public func page(updates: String? = nil) throws(RecordingError) -> String { try PageContent(reader).html(updates: updates) }

    /// Returns the data of the page, as JSON on one line, for a page that was created with `updates:`.
    public func pageContent() throws(RecordingError) -> String { try PageContent(reader).json() }
}

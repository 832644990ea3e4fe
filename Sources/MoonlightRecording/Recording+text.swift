extension Recording {
    /// Returns the source of a plan, which does again what was recorded and checks the states.
    ///
    /// Feedback that waits for answers or for time is left out of the plan, unless it is given: the events that it sent are
    /// in the recording, and are played as those from outside.
    ///
    /// - Parameters:
    ///   - last: The number of the last step; all unless given.
    ///   - reducer: The reducer in Swift; nil to take it from the source of the recording, if that can be read.
    ///   - environment: The closure that makes the environment out of stubs, in Swift; nil to take it from the source.
    ///   - feedback: The argument that makes the feedback, in Swift; nil to take it from the source.
    public func planSource(
        to last: Int = .max, reducer: String? = nil, environment: String? = nil, feedback: String? = nil
    ) throws(RecordingError) -> String {
        try Script.planSource(reader, to: last, reducer: reducer, environment: environment, feedback: feedback)
    }

    /// Returns the story of the recording, for readers who do not write Swift.
    ///
    /// - Parameter last: The number of the last step; all unless given.
    public func story(to last: Int = .max) throws(RecordingError) -> String {
        let reader = reader
        return try Script(reader, to: last).story(reader)
    }

    /// Returns the recording as a page: one HTML file that needs nothing else and works from disk.
    ///
    /// A program that serves the page can keep it up to date while it is looked at:
    ///
    /// ```swift
    /// let page = try recording.page(updates: "recording/updates")    // at /recording?token=…
    /// let event = "data: \(try recording.pageContent())\n\n"         // at /recording/updates?token=…, as text/event-stream
    /// ```
    /// - Parameter updates: Where the page listens for server-sent events, each with a new ``pageContent()`` as its data: a path relative
    ///   to the page's own. The page passes its own query on, and what the reader has chosen stays. Nil for a page that stays as it is.
    public func page(updates: String? = nil) throws(RecordingError) -> String { try PageContent(reader).html(updates: updates) }

    /// Returns what the page shows, as JSON on one line: what a page that was made with `updates:` listens for.
    public func pageContent() throws(RecordingError) -> String { try PageContent(reader).json() }
}

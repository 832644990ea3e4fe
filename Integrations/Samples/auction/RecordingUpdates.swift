import AuctionHouse
import Hummingbird

/// Updates of a recording's page as server-sent events: one immediately, then one whenever steps were added, at most twice a
/// second.
struct RecordingUpdates: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let recording: Recorder.Recorded

    init(of recording: Recorder.Recorded) { self.recording = recording }

    func makeAsyncIterator() -> Iterator { Iterator(recording: recording) }

    struct Iterator: AsyncIteratorProtocol {
        let recording: Recorder.Recorded
        private var last: Int?
        private var isFirst = true
        /// The number of checks without new steps. After twenty, a comment is sent, so that a closed connection is noticed.
        private var quiet = 0

        init(recording: Recorder.Recorded) { self.recording = recording }

        mutating func next() async throws -> ByteBuffer? {
            while true {
                if !isFirst { try await Task.sleep(for: .milliseconds(500)) }
                let now = recording.numbers?.upperBound
                if isFirst || now != last {
                    (isFirst, last, quiet) = (false, now, 0)
                    return ByteBuffer(string: "data: \(try recording.pageContent())\n\n")
                }
                quiet += 1
                if quiet == 20 {
                    quiet = 0
                    return ByteBuffer(string: ":\n\n")
                }
            }
        }
    }
}

import MoonlightRecording
import Streams

/// What the program asks for beside its own thread.
package struct InspectorEnvironment: Sendable {
    package var look: @Sendable (Look.Question) async throws(RecordingError) -> Look
    package var search: @Sendable (StepSearch) async throws(RecordingError) -> StepSearch.Hit?
    package var bisect: @Sendable (Bisection) async throws(RecordingError) -> Bisection.Answer?
    package var read: @Sendable (Reading.Question) async throws(RecordingError) -> Reading
    /// What becomes of the file, for as long as it is asked for.
    package var news: @Sendable () -> AnyPublisher<News, Never>

    package init(
        look: @escaping @Sendable (Look.Question) async throws(RecordingError) -> Look,
        search: @escaping @Sendable (StepSearch) async throws(RecordingError) -> StepSearch.Hit?,
        bisect: @escaping @Sendable (Bisection) async throws(RecordingError) -> Bisection.Answer?,
        read: @escaping @Sendable (Reading.Question) async throws(RecordingError) -> Reading,
        news: @escaping @Sendable () -> AnyPublisher<News, Never>
    ) {
        self.look = look
        self.search = search
        self.bisect = bisect
        self.read = read
        self.news = news
    }

    /// Looks at the recording itself.
    ///
    /// - Parameter news: What becomes of the file; nothing unless given.
    package static func live(
        news: @escaping @Sendable () -> AnyPublisher<News, Never> = { Empty().eraseToAnyPublisher() }
    ) -> InspectorEnvironment {
        InspectorEnvironment(
            look: { question async throws(RecordingError) in try Look(question) },
            search: { search async throws(RecordingError) in try search.run() },
            bisect: { bisection async throws(RecordingError) in try bisection.run() },
            read: { question async throws(RecordingError) in try Reading(question) },
            news: news)
    }

    /// Looks at the recording itself, and for what is added to its file.
    ///
    /// - Parameters:
    ///   - follower: Reads the file.
    ///   - interval: How long to wait between two looks.
    package static func following(_ follower: RecordingFollower, every interval: Duration = .milliseconds(200))
        -> InspectorEnvironment
    {
        live(news: {
            news(every: interval) { () async throws(RecordingError) in try await follower.look() }
        })
    }

    /// What looks at a file find, one after another. The same trouble is told once, until it is over.
    static func news(
        every interval: Duration, _ look: @escaping @Sendable () async throws(RecordingError) -> RecordingFollower.Finding?
    ) -> AnyPublisher<News, Never> {
        .run { send in
            var trouble: String?
            while !Task.isCancelled {
                do throws(RecordingError) {
                    switch try await look() {
                    case .grown(let reader): send(.grown(Steps(reader)))
                    case .anew(let reader): send(.anew(Steps(reader)))
                    case nil: if trouble != nil { send(.well) }
                    }
                    trouble = nil
                } catch {
                    if trouble != "\(error)" { send(.trouble("\(error)")) }
                    trouble = "\(error)"
                }
                do { try await Task.sleep(for: interval) } catch { return }
            }
        }
    }
}

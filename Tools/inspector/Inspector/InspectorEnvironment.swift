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
        (self.look, self.search, self.bisect, self.read, self.news) = (look, search, bisect, read, news)
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
            .run { send in
                var trouble: String?
                while !Task.isCancelled {
                    let (news, failure) = await look(follower)
                    // The same trouble is told once.
                    if let news, failure == nil || failure != trouble { send(news) }
                    trouble = failure
                    do { try await Task.sleep(for: interval) } catch { return }
                }
            }
        })
    }

    private static func look(_ follower: RecordingFollower) async -> (News?, failure: String?) {
        do throws(RecordingError) {
            switch try await follower.look() {
            case .grown(let reader): return (.grown(Steps(reader)), nil)
            case .anew(let reader): return (.anew(Steps(reader)), nil)
            case nil: return (nil, nil)
            }
        } catch { return (.trouble("\(error)"), "\(error)") }
    }
}

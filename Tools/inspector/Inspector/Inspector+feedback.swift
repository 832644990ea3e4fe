import Moonlight
import MoonlightRecording
import Streams

extension Inspector {
    /// The events that follow from the state: the look at the selected step, and what becomes of the file.
    ///
    /// A look is asked for by the state and not by a key: so the screen shows the selected step in the end, whatever has selected it and
    /// whatever was cancelled meanwhile. When the selection moves on, the look is cancelled: moving through many steps costs one look.
    package static func feedback(
        _ states: AnyPublisher<Inspector, Never>, _ environment: InspectorEnvironment
    ) -> [AnyPublisher<InspectorEvent, Never>] {
        [
            states.react(to: \.lookQuestion) { question in
                AnyPublisher<InspectorEvent, Never>.run { send in
                    do throws(RecordingError) {
                        send(.looked(try await environment.look(question)))
                    } catch { send(.failed("\(error)")) }
                }
            }
            .eraseToAnyPublisher(),
            states.react(when: \.isFollowing) { environment.news().map(InspectorEvent.news) }.eraseToAnyPublisher(),
        ]
    }
}

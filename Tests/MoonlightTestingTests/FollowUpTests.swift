import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@Suite("Plans: events that follow from an answer")
struct FollowUpPlanTests {
    @Test("A rule starts more work when an answer has completed the work before")
    func followUps() throws {
        enum Step: Equatable, Sendable { case idle, uploading, uploaded, announced }
        enum UploadEvent: Equatable, Sendable {
            case upload
            case announce
        }
        struct Board: Sendable {
            var upload: @Sendable () async throws -> Void
            var announce: @Sendable () async throws -> Void
        }
        let reducer = Reducer<Step, UploadEvent, Step, Board>(
            transform: { _, event, board in
                switch event {
                case .upload:
                    return .run { send in
                        try await board.upload()
                        send(.uploaded)
                    } catch: { _ in
                        .idle
                    }.prepend(.uploading).eraseToAnyPublisher()
                case .announce:
                    return .run { send in
                        try await board.announce()
                        send(.announced)
                    } catch: { _ in
                        .uploaded
                    }.eraseToAnyPublisher()
                }
            },
            apply: { $0 = $1 })
        let rules: [Rule.Complete<Step, UploadEvent>] = [
            Rule("announce what was uploaded").when(.becoming { (step: Step) in step == .uploaded }).then { _ in .announce }
        ]
        let upload = Stub<Void, Void, any Error>("upload")
        let announce = Stub<Void, Void, any Error>("announce")
        try Plan(
            reducer, given: .idle,
            feedback: { states, _ in [Rule.events(of: rules, from: states)] },
            environment: { Board(upload: $0.async(upload), announce: $0.async(announce)) }
        )
        .when(.upload)
        .then(equals: .uploading)
        .resolve(upload(), with: ())
        .then(equals: .uploaded)
        .resolve(announce(), with: ())
        .then(equals: .announced)
        .run()
    }
}

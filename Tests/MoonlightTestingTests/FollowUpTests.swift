import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@Suite("Plans: events that follow from an answer")
struct FollowUpPlanTests {
    @Test("A rejected event of feedback at the beginning fails a plan, with or without steps, unless rejections are ignored")
    func beginning() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in
                if event == 0 { throw Rejection("zero") }
                return .just(event)
            },
            apply: { (state: inout Int, effect: Int) in state = effect })
        func plan() -> Plan<Int, Int, Int, Void> {
            Plan(reducer, given: 5, environment: (), feedback: { _, _ in [Just(0).eraseToAnyPublisher()] })
        }
        for plan in [plan(), plan().then(equals: 5), plan().when(1), plan().fork("one") { $0.when(1) }] {
            let failure = #expect(throws: PlanFailure.self) { try plan.run() }
            expect(failure?.message.hasPrefix("the event 0 was rejected: zero") ?? false)
        }
        try plan().ignoringRefusals().when(1).fork("two") { $0.when(2) }.then(equals: 1).run()
    }

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

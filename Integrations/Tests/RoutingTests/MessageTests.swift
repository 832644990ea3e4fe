import Moonlight
import MoonlightDurability
import Testing

@testable import MoonlightRouting

@Suite("Messages between routers")
struct MessageTests {
    @Test("A request is decoded as it was encoded, and an incomplete or too long one is rejected")
    func request() {
        let request = RoutedRequest(partition: 70_000, id: "ä/✈︎", key: "", event: [0, 255, 1])
        #expect(RoutedRequest(request.bytes) == request)
        for count in request.bytes.indices { #expect(RoutedRequest(Array(request.bytes.prefix(count))) == nil) }
        #expect(RoutedRequest(request.bytes + [0]) == nil)
        #expect(RoutedRequest([2] + request.bytes.dropFirst()) == nil)
    }

    @Test(
        "An outcome is decoded as it was encoded",
        arguments: [
            RoutedOutcome.accepted, .rejected("no"), .overflow, .notOwner, .invalid("x"), .failed("y", isTaken: true),
            .broken("z"),
        ])
    func outcome(_ outcome: RoutedOutcome) { #expect(RoutedOutcome(outcome.bytes) == outcome) }

    @Test("Bytes that are no outcome are rejected")
    func noOutcome() { #expect(RoutedOutcome([]) == nil) }

    @Test("The answer of a fleet contains whether the event may have been taken")
    func answers() {
        func outcome(_ error: SendError) -> RoutedOutcome { RoutedOutcome(.send(id: "a", error)) }
        #expect(outcome(.draining) == .notOwner)
        #expect(outcome(.ended) == .notOwner)
        #expect(outcome(.overflow) == .overflow)
        #expect(outcome(.rejected(RepeatedRejectionLike())) == .rejected("no room"))
        for isTaken in [false, true] {
            let errors: [SendError] = [
                .cancelled(isTaken: isTaken), .timedOut(isTaken: isTaken), .notDurable(DurabilityError.closed, isTaken: isTaken),
            ]
            for error in errors {
                guard case .failed(_, isTaken) = outcome(error) else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        guard case .failed(_, true) = outcome(.interrupted(.loopEnded)), case .broken = RoutedOutcome(.unopened(.closed)),
            case .failed(_, false) = RoutedOutcome(.unreadable(id: "a", .closed)), case .invalid = RoutedOutcome(.invalidID("a"))
        else {
            Issue.record("another outcome")
            return
        }
    }

    private struct RepeatedRejectionLike: Error, CustomStringConvertible { let description = "no room" }
}

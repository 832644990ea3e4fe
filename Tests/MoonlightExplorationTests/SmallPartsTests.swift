import Moonlight
import Streams
import Testing

@testable import MoonlightExploration
@testable import MoonlightTesting

private struct Guest: Hashable {
    var count = 0
}
private struct House: Hashable {
    var guest: Guest?
}
private enum Event: Hashable, Sendable {
    case guest(Int)
    case invite, leave
}

private let house = Reducer<House, Event, Event, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (state: inout House, event: Event) in
        switch event {
        case .guest(let step): state.guest = state.guest.map { Guest(count: min(1, $0.count + step)) }
        case .invite: state.guest = state.guest ?? Guest()
        case .leave: state.guest = nil
        }
    })

@Suite("Exploration: small parts")
struct SmallPartsTests {
    @Test("a marked choice of a Mermaid picture is red, and the others are not")
    func mermaid() {
        var picture = ExplorationPicture()
        let edges = [("a", "x", "b"), ("b", "y#<1>\n\"z\"", "a")].map {
            ExplorationPicture.Edge(source: $0, choice: $1, target: $2)
        }
        for edge in edges { picture.add(edge) }
        #expect(
            picture.mermaid(marking: [edges[1]]) == """
                flowchart TD
                    s0["a"]
                    s1["b"]
                    s0 -->|"x"| s1
                    s1 -->|"y#35;#lt;1#gt;<br>#quot;z#quot;"| s0
                    linkStyle 1 stroke:red,color:red
                """)
    }

    @Test("five states are named, and six counted")
    func fiveStates() {
        func picture(_ count: Int) -> ExplorationPicture {
            var picture = ExplorationPicture()
            for number in 0..<count { picture.add("s\(number)") }
            return picture
        }
        #expect(picture(5).changes(since: "") == ["+ 5 states: s0, s1, s2, s3, s4"])
        #expect(picture(6).changes(since: "") == ["+ 6 states"])
    }

    @Test("what a child must be able to reach is lost where the child cannot come back")
    func absentChild() throws {
        let exploration = Exploration(house, given: House(guest: Guest())) { _ in }.events([.guest(1), .leave])
            .scoped(to: \.guest, event: Event.guest) { $0.canAlways("be there", to: { $0.count >= 0 }) }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        #expect(failure?.name == "e1")
        try exploration.events([.invite]).run()
    }

    @Test("each escape of a literal is read")
    func literal() {
        #expect(SourceText.value(ofLiteral: #""\t\r\n\0\\\"\'\u{41}""#) == "\t\r\n\0\\\"'A")
        #expect(SourceText.value(ofLiteral: #""\q""#) == nil)
    }

    @Test("numbers that are not finite are written by name")
    func numbers() {
        #expect(SwiftSource.of(Double.nan) == ".nan")
        #expect(SwiftSource.of(-Double.infinity) == "-.infinity")
        #expect(SwiftSource.of(Float.nan, isTypeKnown: false) == "Double.nan")
    }

    @Test("a plan asks what is owed in the end at rest only if the story ends there")
    func ends() {
        let exploration = Exploration(house, given: House()) { _ in }.events([.invite])
            .eventually("it is empty", after: { $0.guest != nil }, until: { $0.guest == nil })
        let plan = exploration.planSource(of: [.event(0)], violating: exploration.properties[0])
        #expect(plan?.contains("\n    .holds(\"it is empty\", in: .quiet) { $0.guest == nil }\n") == true)
    }
}

import Foundation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private typealias Storing = @Sendable (Int) async -> Int
private let storing = Stub<Int, Int, Never>("storing")

@Suite("Exploration: events that are not Hashable")
struct DistinctValueTests {
    private enum Wire {
        case received(Data)
        case select(Set<String>, [Wire])
        case stop, start
        case reply(to: Peer, with: [String: [Wire]])
    }
    private class Base { var name = "" }
    private final class Peer: Base {
        var next: Peer?
        init(_ name: String) {
            super.init()
            self.name = name
        }
    }

    private func isSame(_ one: Wire, _ other: Wire) -> Bool { distinction(of: one) == distinction(of: other) }

    @Test("Values with equal parts are equal, wherever their parts are stored, and in whichever order")
    func same() {
        expect(isSame(.received(Data([1, 2, 3])), .received(Data([1, 2, 3]))))
        expect(isSame(.received(Data(repeating: 7, count: 100)), .received(Data(repeating: 7, count: 100))))
        let names = (0..<100).map { "\($0)" }
        expect(isSame(.select(Set(names), [.stop]), .select(Set(names.reversed()), [.stop])))
        let (table, other) = (names.map { ($0, [Wire.stop]) }, names.reversed().map { ($0, [Wire.stop]) })
        expect(
            isSame(
                .reply(to: Peer("a"), with: Dictionary(uniqueKeysWithValues: table)),
                .reply(to: Peer("a"), with: Dictionary(uniqueKeysWithValues: other))))
    }

    @Test("Values that differ in a part, a case or a type are different")
    func different() {
        expect(!isSame(.received(Data(repeating: 7, count: 100)), .received(Data(repeating: 7, count: 99) + [8])))
        expect(!isSame(.stop, .start))
        expect(!isSame(.select([], [.stop]), .select([], [.start])))
        expect(!isSame(.reply(to: Peer("a"), with: [:]), .reply(to: Peer("b"), with: [:])))
        expect(!isSame(.reply(to: Peer("a"), with: ["a": [.stop]]), .reply(to: Peer("a"), with: ["a": [.start]])))
        expect(distinction(of: [Wire]()) != distinction(of: [Peer]()))
    }

    @Test("An object that refers to itself has an end")
    func cycle() {
        let (one, other) = (Peer("a"), Peer("b"))
        (one.next, other.next) = (other, one)
        expect(isSame(.reply(to: one, with: [:]), .reply(to: one, with: [:])))
        expect(!isSame(.reply(to: one, with: [:]), .reply(to: other, with: [:])))
        other.next = nil
    }

    @Test("An exploration of events that are made anew each time is exhaustive")
    func madeAnew() throws {
        enum Event: Sendable {
            case received(Data)
            case select(Set<String>)
        }
        let reducer = Reducer<Int, Event, Int, Storing>(
            transform: { _, _, store in .run { send in send(await store(1)) }.job("x", .latest) },
            apply: { (state: inout Int, effect: Int) in state = effect })
        let report = try Exploration(reducer, given: 0) { $0.async(storing) }
            .events { _ in [.received(Data(repeating: 7, count: 100)), .select(["a", "b", "c", "d", "e", "f"])] }
            .answers(storing, with: [1, 2]).run()
        expect(report.extent == .exhaustive)
    }

    /// An event whose closure changes the answer.
    private struct Act: Sendable { let change: @Sendable (Int) -> Int }

    private static let acting = Reducer<Int, Act, Int, Storing>(
        transform: { _, act, store in .run { send in send(act.change(await store(1))) } },
        apply: { (state: inout Int, effect: Int) in state = effect })

    @Test("Two events from outside that differ only in a closure are both explored")
    func closures() {
        let exploration = Exploration(Self.acting, given: 0) { $0.async(storing) }.answers(storing, with: [1])
            .never("seven") { $0 == 7 }
        let one = #expect(throws: ExplorationFailure.self) {
            try exploration.events([Act { $0 }, Act { $0 + 6 }], atMost: 1).run()
        }
        expectEqual(one?.name, "e1 a0.0")
        let two = #expect(throws: ExplorationFailure.self) {
            try exploration.events([Act { $0 }], atMost: 1).events([Act { _ in 2 }, Act { $0 + 6 }], atMost: 1).run()
        }
        expectEqual(two?.name, "e2 a0.0")
    }

    @Test("An event from outside keeps its number when the limit of others is reached")
    func numbers() {
        let exploration = Exploration(Self.acting, given: 0) { _ in { $0 } }
            .events([Act { $0 }], atMost: 1).events([Act { $0 }, Act { $0 }])
        expectEqual(exploration.offers(in: 0, sent: [0]).numbers, [0, 1, 2])
        expectEqual(exploration.offers(in: 0, sent: [1]).numbers, [1, 2])
    }

    @Test("An event with a closure that is cancelled is described in the trace")
    func described() throws {
        enum Event: Sendable, CustomStringConvertible {
            case act(@Sendable () -> Void)
            var description: String { "an act" }
        }
        let reducer = Reducer<Int, Event, Int, Storing>(
            transform: { _, _, store in .run { _ in _ = await store(1) } }, apply: { (_: inout Int, _: Int) in })
        let trace = try Exploration(reducer, given: 0) { $0.async(storing) }.events([.act {}]).answers(storing, with: [1])
            .cancelsAnywhere().replay("e0 c0")
        expectEqual(trace.hasSuffix("The effect of an act is cancelled"), true)
    }
}

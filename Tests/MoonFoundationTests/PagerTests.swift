import MoonFoundation
import MoonlightTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Pager: a list a page at a time")
struct PagerTests {
    enum Fault: Error, Codable { case offline }
    typealias Numbers = Pager<Int, Fault>

    @Test("Each request starts where the items end")
    func pages() throws {
        var pager = Numbers(pageSize: 2, startOffset: 10)
        let first = try pager.requestNext().orThrow(Fault.offline)
        expect((first.page, first.offset, first.limit) == (0, 10, 2))
        expectEqual(pager.receive([1, 2], for: first), true)
        let second = try pager.requestNext().orThrow(Fault.offline)
        expect((second.page, second.offset, second.limit) == (1, 12, 2))
        pager.receive([3], for: second)
        expectEqual(pager.items, [1, 2, 3])
        expectEqual(pager.next?.offset, 13)
    }

    @Test("The offset of a request stops at the largest number")
    func largestOffset() throws {
        var pager = Numbers(pageSize: .max, startOffset: .max - 1)
        let first = try pager.requestNext().orThrow(Fault.offline)
        expect((first.page, first.offset, first.limit) == (0, .max - 1, .max))
        expectEqual(pager.receive([1], for: first), true)
        expectEqual(pager.next?.offset, .max)
        pager.receive([2, 3], for: try pager.requestNext().orThrow(Fault.offline))
        expectEqual(pager.next?.offset, .max)
        expectEqual(pager.next?.page, 2)
        expectEqual(pager.items, [1, 2, 3])
    }

    @Test("A pager decoded with the largest numbers continues, and no two of its requests are equal")
    func largestNumbers() throws {
        var pager = Numbers(pageSize: 2, startOffset: 3)
        pager.receive([7], for: try pager.requestNext().orThrow(Fault.offline))
        let text = String(decoding: try JSONEncoder().encode(pager), as: UTF8.self)
            .replacing("\"pages\":1", with: "\"pages\":\(Int.max)")
            .replacing("\"attempts\":1", with: "\"attempts\":\(Int.max)")
            .replacing("\"startOffset\":3", with: "\"startOffset\":\(Int.min)")
            .replacing("\"pageSize\":2", with: "\"pageSize\":\(Int.min)")
        pager = try JSONDecoder().decode(Numbers.self, from: Data(text.utf8))
        let first = try pager.requestNext().orThrow(Fault.offline)
        expectEqual(first.page, .max)
        expectEqual(first.offset, 1)
        expectEqual(first.limit, 1)
        pager.receive([8], for: first)
        let second = try pager.requestNext().orThrow(Fault.offline)
        expectEqual(second.page, .max)
        expectEqual(second.offset, 2)
        expect(second != first)
        expectEqual(pager.receive([9], for: first), false)
    }

    @Test("A request while a page is pending returns nil and changes nothing")
    func oneAtATime() throws {
        var pager = Numbers(pageSize: 2)
        let request = pager.requestNext()
        let before = pager
        expect(pager.next == nil)
        expect(pager.requestNext() == nil)
        expectEqual(pager, before)
        expectEqual(pager.pending, request)
        expect(pager.isLoading)
    }

    @Test("An empty page ends the list, and a short one does not")
    func end() throws {
        var pager = Numbers(pageSize: 3)
        pager.receive([1], for: try pager.requestNext().orThrow(Fault.offline))
        expect(!pager.isFinished)
        pager.receive([], for: try pager.requestNext().orThrow(Fault.offline))
        expect(pager.isFinished)
        expect(pager.requestNext() == nil)
        expectEqual(pager.items, [1])
    }

    @Test("After an error, the items are kept and the same page can be requested again")
    func retry() throws {
        var pager = Numbers(pageSize: 2)
        pager.receive([1, 2], for: try pager.requestNext().orThrow(Fault.offline))
        let failing = try pager.requestNext().orThrow(Fault.offline)
        expectEqual(pager.fail(.offline, for: failing), true)
        expectEqual(pager.error, .offline)
        expectEqual(pager.items, [1, 2])
        let again = try pager.requestNext().orThrow(Fault.offline)
        expect((again.page, again.offset) == (failing.page, failing.offset))
        expect(pager.error == nil)
        pager.receive([3], for: again)
        expectEqual(pager.items, [1, 2, 3])
    }

    @Test("A response after a reset, a cancel or another response is ignored")
    func stale() throws {
        var pager = Numbers(pageSize: 2)
        let old = try pager.requestNext().orThrow(Fault.offline)
        pager.reset()
        let current = try pager.requestNext().orThrow(Fault.offline)
        let before = pager
        expectEqual(pager.receive([9, 9], for: old), false)
        expectEqual(pager.fail(.offline, for: old), false)
        expectEqual(pager, before)

        pager.cancel()
        expect(!pager.isLoading)
        expectEqual(pager.receive([9], for: current), false)
        expect(pager.items.isEmpty)

        let last = try pager.requestNext().orThrow(Fault.offline)
        expectEqual(pager.receive([1], for: last), true)
        expectEqual(pager.receive([1], for: last), false)
        expectEqual(pager.items, [1])
    }

    @Test("A reset returns to the start, also after the end and after an error")
    func reset() throws {
        var pager = Numbers(pageSize: 2, startOffset: 4)
        pager.receive([1], for: try pager.requestNext().orThrow(Fault.offline))
        pager.receive([], for: try pager.requestNext().orThrow(Fault.offline))
        pager.reset()
        expect(pager.items.isEmpty)
        expect(!pager.isFinished)
        expectEqual(pager.next.map { [$0.page, $0.offset] }, [0, 4])
        pager.fail(.offline, for: try pager.requestNext().orThrow(Fault.offline))
        pager.reset()
        expect(pager.error == nil)
    }

    @Test("A page size below one and an offset below zero do not trap")
    func nonsense() {
        let pager = Numbers(pageSize: -3, startOffset: -1)
        expectEqual(pager.next.map { [$0.offset, $0.limit] }, [0, 1])
    }

    @Test("Decoding an encoded pager gives the same, also in the middle of a request")
    func coding() throws {
        var pager = Numbers(pageSize: 2)
        pager.requestNext()
        let data = try JSONEncoder().encode(pager)
        try expectEqual(JSONDecoder().decode(Numbers.self, from: data), pager)
    }

    @Test(
        "Generated: the items are a prefix of the list in any order of requests and answers",
        arguments: Budget.seeds(300, least: 30))
    func anyOrder(seed: Int) {
        var generator = Dice(seed: seed)
        let list = Array(0..<Int.random(in: 0...12, using: &generator))
        var pager = Numbers(pageSize: Int.random(in: 1...4, using: &generator))
        var made: [Numbers.Request] = []
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: pager.reset()
            case 1: pager.cancel()
            case 2...4:
                let busy = pager.isLoading || pager.isFinished
                let request = pager.requestNext()
                expect((request == nil) == busy)
                if let request {
                    expect(!made.contains(request))
                    made.append(request)
                }
            case 5:
                guard let request = made.randomElement(using: &generator) else { continue }
                let isPending = pager.pending == request
                expectEqual(pager.fail(.offline, for: request), isPending)
            default:
                guard let request = pager.pending ?? made.randomElement(using: &generator) else { continue }
                let isPending = pager.pending == request
                let page = list.dropFirst(request.offset).prefix(request.limit)
                expectEqual(pager.receive(page, for: request), isPending)
            }
            expectEqual(pager.items, Array(list.prefix(pager.items.count)))
            if pager.isFinished { expectEqual(pager.items, list) }
        }
    }
}

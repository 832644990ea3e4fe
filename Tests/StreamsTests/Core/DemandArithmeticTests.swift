import Foundation
import Streams
import Testing

@Suite("Subscribers.Demand")
struct DemandArithmeticTests {
    typealias Demand = Subscribers.Demand

    @Test("counts add up, subtract and multiply")
    func counts() {
        #expect(Demand.max(2) + .max(3) == .max(5))
        #expect(Demand.max(2) + 3 == .max(5))
        #expect(Demand.max(5) - .max(3) == .max(2))
        #expect(Demand.max(5) - 3 == .max(2))
        #expect(Demand.max(5) * 3 == .max(15))
        #expect(Demand.max(5) * 0 == .none)
        #expect(Demand.none == .max(0))
    }

    @Test("a difference stops at none")
    func differenceStops() {
        #expect(Demand.max(2) - .max(3) == .none)
        #expect(Demand.max(2) - 3 == .none)
        #expect(Demand.max(2) - .unlimited == .none)
        #expect(Demand.max(2) + (-3) == .none)
        #expect(Demand.max(2) - (-3) == .max(5))
    }

    @Test("unlimited stays unlimited")
    func unlimited() {
        #expect(Demand.unlimited + .max(1) == .unlimited)
        #expect(Demand.max(1) + .unlimited == .unlimited)
        #expect(Demand.unlimited + .unlimited == .unlimited)
        #expect(Demand.unlimited - .max(1) == .unlimited)
        #expect(Demand.unlimited - 1 == .unlimited)
        #expect(Demand.unlimited * 2 == .unlimited)
        #expect(Demand.unlimited - .unlimited == .unlimited)
    }

    @Test("what is too large for a count is unlimited")
    func overflow() {
        #expect(Demand.max(.max) + .max(1) == .unlimited)
        #expect(Demand.max(.max) + 1 == .unlimited)
        #expect(Demand.max(.max) * 2 == .unlimited)
        #expect(Demand.max(.max) != .unlimited)
        #expect(Demand.max(1) - Int.min == .none)
        #expect(Demand.max(.max) - (-1) == .none)
        #expect(Demand.unlimited - Int.min == .unlimited)
        #expect(Demand.max(1) + Int.min == .none)
    }

    @Test("the assigning forms do what the plain ones do")
    func assigning() {
        var demand = Demand.max(1)
        demand += .max(4)
        demand += 1
        demand *= 3
        demand -= .max(2)
        demand -= 1
        #expect(demand == .max(15))
        demand += .unlimited
        demand += 1
        #expect(demand == .unlimited)
    }

    @Test("demands compare with each other and with counts")
    func comparison() {
        #expect(Demand.none < .max(1))
        #expect(Demand.max(1) < .max(2))
        #expect(Demand.max(.max) < .unlimited)
        #expect(Demand.max(3) == 3)
        #expect(Demand.max(3) != 4)
        #expect(Demand.unlimited != .max)
        #expect(Demand.max(3) > 2)
        #expect(Demand.max(3) >= 3)
        #expect(Demand.max(3) < 4)
        #expect(Demand.max(3) <= 3)
        #expect(Demand.unlimited > .max)
        #expect(Demand.none > -1)
        #expect(Demand.none != -1)
    }

    @Test("a count is known, no limit has none")
    func max() {
        #expect(Demand.max(7).max == 7)
        #expect(Demand.none.max == 0)
        #expect(Demand.unlimited.max == nil)
    }

    @Test("it is described as it is written")
    func description() {
        #expect("\(Demand.max(7)), \(Demand.none), \(Demand.unlimited)" == "max(7), max(0), unlimited")
    }

    @Test("it is encoded as one number and decoded again")
    func codable() throws {
        let demands: [Demand] = [.none, .max(3), .max(.max), .unlimited]
        let data = try JSONEncoder().encode(demands)
        #expect(String(decoding: data, as: UTF8.self) == "[0,3,9223372036854775807,9223372036854775808]")
        #expect(try JSONDecoder().decode([Demand].self, from: data) == demands)
    }

    @Test("a count compares with a demand as a demand with a count")
    func countFirst() {
        for count in [Int.min, -1, 0, 1, 2, Int.max] {
            for demand in [Demand.none, .max(1), .max(2), .max(.max), .unlimited] {
                #expect((count == demand) == (demand == count))
                #expect((count != demand) == (demand != count))
                #expect((count < demand) == (demand > count))
                #expect((count > demand) == (demand < count))
                #expect((count <= demand) == (demand >= count))
                #expect((count >= demand) == (demand <= count))
            }
        }
        #expect(1 < Demand.max(2))
        #expect(-1 < Demand.none)
        #expect(Int.max < Demand.unlimited)
        #expect(2 >= Demand.max(2))
    }

    @Test("a negative number is not decoded, a very large one is no limit")
    func notCodable() {
        let large = try? JSONDecoder().decode([Demand].self, from: Data("[9223372036854775809]".utf8))
        #expect(large == [.unlimited])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Demand].self, from: Data("[-1]".utf8)) }
    }

    @Test("equal demands hash alike")
    func hashing() {
        #expect(Set([Demand.none, .max(0), .max(1), .unlimited, .unlimited]).count == 3)
    }
}

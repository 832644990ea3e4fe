import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Subscribers.Demand")
struct DemandArithmeticTests {
    typealias Demand = Subscribers.Demand

    @Test("Demands with a maximum add, subtract and multiply")
    func counts() {
        expectEqual(Demand.max(2) + .max(3), .max(5))
        expectEqual(Demand.max(2) + 3, .max(5))
        expectEqual(Demand.max(5) - .max(3), .max(2))
        expectEqual(Demand.max(5) - 3, .max(2))
        expectEqual(Demand.max(5) * 3, .max(15))
        expectEqual(Demand.max(5) * 0, .none)
        expectEqual(Demand.none, .max(0))
    }

    @Test("Subtracting a larger demand returns `.none`")
    func differenceStops() {
        expectEqual(Demand.max(2) - .max(3), .none)
        expectEqual(Demand.max(2) - 3, .none)
        expectEqual(Demand.max(2) - .unlimited, .none)
    }

    @Test("Unlimited demand stays unlimited in all arithmetic")
    func unlimited() {
        expectEqual(Demand.unlimited + .max(1), .unlimited)
        expectEqual(Demand.max(1) + .unlimited, .unlimited)
        expectEqual(Demand.unlimited + .unlimited, .unlimited)
        expectEqual(Demand.unlimited - .max(1), .unlimited)
        expectEqual(Demand.unlimited - 1, .unlimited)
        expectEqual(Demand.unlimited * 2, .unlimited)
        expectEqual(Demand.unlimited - .unlimited, .unlimited)
    }

    @Test("A demand that overflows becomes unlimited")
    func overflow() {
        expectEqual(Demand.max(.max) + .max(1), .unlimited)
        expectEqual(Demand.max(.max) + 1, .unlimited)
        expectEqual(Demand.max(.max) * 2, .unlimited)
        expect(Demand.max(.max) != .unlimited)
    }

    @Test("The assignment operators of demands equal the plain ones")
    func assigning() {
        var demand = Demand.max(1)
        demand += .max(4)
        demand += 1
        demand = demand * 3
        demand -= .max(2)
        demand -= 1
        expectEqual(demand, .max(15))
        demand += .unlimited
        demand += 1
        expectEqual(demand, .unlimited)
    }

    @Test("Demands compare with each other and with literals")
    func comparison() {
        expect(Demand.none < .max(1))
        expect(Demand.max(1) < .max(2))
        expect(Demand.max(.max) < .unlimited)
        expect(Demand.max(3) == 3)
        expect(Demand.max(3) != 4)
        expect(Demand.max(3) > 2)
        expect(Demand.max(3) >= 3)
        expect(Demand.max(3) < 4)
        expect(Demand.max(3) <= 3)
        expect(1 < Demand.max(2))
        expect(2 >= Demand.max(2))
    }

    @Test("`max(n).max` is n, and `unlimited.max` is nil")
    func max() {
        expectEqual(Demand.max(7).max, 7)
        expectEqual(Demand.none.max, 0)
        expect(Demand.unlimited.max == nil)
    }

    @Test("The description of a demand is its source")
    func description() {
        expectEqual("\(Demand.max(7)), \(Demand.none), \(Demand.unlimited)", "max(7), max(0), unlimited")
    }

    @Test("A demand is encoded as one number and decoded again")
    func codable() throws {
        let demands: [Demand] = [.none, .max(3), .max(.max), .unlimited]
        let data = try JSONEncoder().encode(demands)
        expectEqual(String(decoding: data, as: UTF8.self), "[0,3,9223372036854775807,9223372036854775808]")
        try expectEqual(JSONDecoder().decode([Demand].self, from: data), demands)
    }

    @Test("Decoding a demand rejects a negative number, and makes a very large one unlimited")
    func notCodable() {
        let large = try? JSONDecoder().decode([Demand].self, from: Data("[9223372036854775809]".utf8))
        expectEqual(large, [.unlimited])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Demand].self, from: Data("[-1]".utf8)) }
    }

    @Test("Equal demands have equal hash values")
    func hashing() {
        expectEqual(Set([Demand.none, .max(0), .max(1), .unlimited, .unlimited]).count, 3)
    }
}

import Foundation
import MoonDecimalNumber
import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("NSDecimalNumber: operators")
struct NSDecimalNumberTests {
    private let two = NSDecimalNumber(value: 2)
    private let three = NSDecimalNumber(value: 3)

    @Test("The four operations and the sign are those of arithmetic")
    func operations() {
        expectEqual(three + two, NSDecimalNumber(value: 5))
        expectEqual(two - three, NSDecimalNumber(value: -1))
        expectEqual(three * two, NSDecimalNumber(value: 6))
        expectEqual(three / two, NSDecimalNumber(string: "1.5"))
        expectEqual(-three, NSDecimalNumber(value: -3))
    }

    @Test("The power operator binds tighter than sum and product: 3 + 2 ** 2 is 7, 3 * 2 ** 2 is 12")
    func precedence() {
        expectEqual(three + two ** 2, NSDecimalNumber(value: 7))
        expectEqual(three * two ** 2, NSDecimalNumber(value: 12))
        expectEqual(two ** -1, NSDecimalNumber(string: "0.5"))
    }

    @Test("Decimal numbers are ordered")
    func order() {
        expect(two < three)
        expectEqual([three, two].min(), two)
        expect(three >= two)
    }

    @Test("A result that does not exist is `notANumber`, and raises nothing")
    func notANumber() {
        let tiny = NSDecimalNumber(decimal: .leastNonzeroMagnitude)
        let huge = NSDecimalNumber(decimal: .greatestFiniteMagnitude)
        for number in [three / 0, tiny * tiny, huge * huge, huge + huge, -huge - huge, two ** .max, .notANumber + two] {
            expectEqual(number, .notANumber)
        }
    }
}

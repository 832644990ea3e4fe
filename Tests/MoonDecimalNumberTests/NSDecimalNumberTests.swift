import Foundation
import MoonDecimalNumber
import MoonFoundation
import Testing

@Suite("NSDecimalNumber: operators")
struct NSDecimalNumberTests {
    private let two = NSDecimalNumber(value: 2)
    private let three = NSDecimalNumber(value: 3)

    @Test("The four operations and the sign are those of arithmetic")
    func operations() {
        #expect(three + two == NSDecimalNumber(value: 5))
        #expect(two - three == NSDecimalNumber(value: -1))
        #expect(three * two == NSDecimalNumber(value: 6))
        #expect(three / two == NSDecimalNumber(string: "1.5"))
        #expect(-three == NSDecimalNumber(value: -3))
    }

    @Test("The power binds tighter than sum and product, where the seed's ^ gave 25 and 36")
    func precedence() {
        #expect(three + two ** 2 == NSDecimalNumber(value: 7))
        #expect(three * two ** 2 == NSDecimalNumber(value: 12))
        #expect(two ** -1 == NSDecimalNumber(string: "0.5"))
    }

    @Test("They are ordered")
    func order() {
        #expect(two < three)
        #expect([three, two].min() == two)
        #expect(three >= two)
    }

    @Test("What has no answer is not a number, and raises nothing")
    func notANumber() {
        let tiny = NSDecimalNumber(decimal: .leastNonzeroMagnitude)
        let huge = NSDecimalNumber(decimal: .greatestFiniteMagnitude)
        for number in [three / 0, tiny * tiny, huge * huge, huge + huge, -huge - huge, two ** .max, .notANumber + two] {
            #expect(number == .notANumber)
        }
    }
}

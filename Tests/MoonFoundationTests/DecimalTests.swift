import MoonlightTestSupport
import Testing

@testable import MoonFoundation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Decimal: powers, products, quotients and rounding")
struct DecimalTests {
    // The expected values were computed with 300 digits by another program, and 36 digits are compared.

    @Test(
        "Powers are correct in all digits",
        arguments: [
            ("2", 10, "1024e0"),
            ("2", -1, "5e-1"),
            ("2", -3, "125e-3"),
            ("2", 127, "170141183460469231731687303715884106e3"),
            ("2", -127, "587747175411143753984368268611122839e-74"),
            ("3", 50, "717897987691852588770249e0"),
            ("3", -50, "139295556909853834633644234459639456e-59"),
            ("10", 127, "1e127"),
            ("10", -128, "1e-128"),
            ("-2", 3, "-8e0"),
            ("-2", 4, "16e0"),
            ("0.1", 128, "1e-128"),
            ("0", 0, "1e0"),
            ("0", 5, "0e0"),
            ("7", 0, "1e0"),
            ("1.5", -7, "585276634659350708733424782807498857e-37"),
            ("-0.5", -5, "-32e0"),
            ("12345.6789", 9, "666246275971994200744003753136277947e1"),
            ("0.001", -40, "1e120"),
        ])
    func powers(base: String, exponent: Int, expected: String) throws {
        expectEqual(digits(of: try decimal(base).raised(to: exponent)), expected)
    }

    @Test("A power with rounded intermediate products is correct in all but its last few digits")
    func roundedSteps() throws {
        let power = try decimal("1.0001").raised(to: 10000)
        expect(power.rounded(toPlaces: 32) == (try decimal("2.71814592682522486403766467491315")))
    }

    @Test(
        "Quotients are correct in all digits",
        arguments: [
            ("1", "34028236692093846346337460743176821145", "293873587705571876992184134305561419e-73"),
            ("1e64", "99999999999999999999999999999999999999", "1e26"),
            ("1e-100", "10", "1e-101"),
            ("1e-128", "-1", "-1e-128"),
            ("7", "3", "233333333333333333333333333333333333e-35"),
            ("1e127", "34028236692093846346337460743176821145", "293873587705571876992184134305561419e54"),
            ("1", "12345678901234567890e-80", "810000007290000066347100603757805494e25"),
            ("0", "5", "0e0"),
            ("99999999999999999999999999999999999999", "3", "333333333333333333333333333333333333e2"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211454", "1e0"),
        ])
    func quotients(left: String, right: String, expected: String) throws {
        expectEqual(digits(of: try decimal(left).divided(by: decimal(right))), expected)
    }

    @Test("A quotient has as many digits as the significand can hold")
    func lastDigit() throws {
        // The first 38 digits are the largest number that still leaves room for a 9.
        let divided = try decimal("102084710076281539039012382229530463433").divided(by: 3)
        let quotient = try WideDecimal(divided).orThrow(NoNumber())
        expectEqual("\(quotient.digits)e\(quotient.exponent)", "340282366920938463463374607431768211443e-1")
    }

    @Test("A quotient exactly halfway between two decimals is rounded away from zero")
    func halfQuotient() throws {
        // 1 / 2^56 has 40 digits, the last a 5; 39 fit. 1 / 2^55 has 39.
        for (power, expected) in [
            (56, "138777878078144567552953958511352539063e-55"), (55, "277555756156289135105907917022705078125e-55"),
        ] {
            for sign in [1, -1] {
                let divided = Decimal(sign).divided(by: Decimal(UInt64(1) << power))
                let quotient = try WideDecimal(divided).orThrow(NoNumber())
                expectEqual("\(quotient.digits)e\(quotient.exponent)", expected)
                expect(quotient.isNegative == (sign < 0))
            }
        }
    }

    @Test(
        "Products are correct in all digits",
        arguments: [
            ("1e-100", "1e-28", "1e-128"),
            ("99999999999999999999999999999999999999e-70", "99999999999999999999999999999999999999e-70", "1e-64"),
            ("-3", "1e127", "-3e127"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "1e76"),
            (
                "12345678901234567890.12345678", "-98765432109876543210.87654321",
                "-121932631137021795226047858434857491e4"
            ),
        ])
    func products(left: String, right: String, expected: String) throws {
        expectEqual(digits(of: try decimal(left).multiplied(by: decimal(right))), expected)
    }

    @Test("A product that would round up to 2^128, which does not fit, is rounded to one digit fewer")
    func carriedOut() throws {
        // 107 times this number is (2^128 - 1) * 10 + 7.
        let product = try decimal("31802090366442847052651832470258711351").multiplied(by: 107)
        expect(product == (try decimal("34028236692093846346337460743176821146e2")))
    }

    @Test(
        "The last digit of a product is rounded",
        arguments: [
            (
                "99999999999999999999999999999999999999", "99999999999999999999999999999999999999",
                "99999999999999999999999999999999999998e38"
            ),
            ("340282366920938463463374607431768211455", "3", "102084710076281539039012382229530463437e1"),
            ("340282366920938463463374607431768211455", "10", "340282366920938463463374607431768211455e1"),
            ("12345678901234567890123456789012345678", "7", "86419752308641975230864197523086419746e0"),
            (
                "170141183460469231731687303715884105728", "170141183460469231731687303715884105728",
                "289480223093290488558927462521719769633e38"
            ),
            (
                "340282366920938463463374607431768211455", "340282366920938463463374607431768211455",
                "115792089237316195423570985008687907853e39"
            ),
            (
                "12345678901234567890123456789012345678", "98765432109876543210987654321098765432",
                "121932631137021795226185032733866788585e37"
            ),
        ])
    func lastDigitOfProduct(left: String, right: String, expected: String) throws {
        let product = try WideDecimal(decimal(left).multiplied(by: decimal(right))).orThrow(NoNumber())
        expectEqual("\(product.digits)e\(product.exponent)", expected)
    }

    @Test("The last digit of a quotient is rounded")
    func lastDigitOfQuotient() throws {
        expect(Decimal(2).divided(by: 3) == (try decimal("0.66666666666666666666666666666666666667")))
        expect(Decimal(1).divided(by: 3) == (try decimal("0.333333333333333333333333333333333333333")))
        expect(Decimal(1).divided(by: -6) == (try decimal("-0.166666666666666666666666666666666666667")))
    }

    @Test("A result that is undefined or cannot be represented is NaN, without a trap")
    func notANumber() throws {
        let tiny = Decimal.leastNonzeroMagnitude
        let huge = Decimal.greatestFiniteMagnitude
        for result in [
            Decimal(2).raised(to: .max), Decimal(2).raised(to: .min), Decimal(10).raised(to: 10_000),
            Decimal(10).raised(to: -10_000), Decimal(0).raised(to: -1), Decimal.nan.raised(to: 2), Decimal.nan.raised(to: 0),
            try decimal("0.1").raised(to: 1000), try decimal("0.1").raised(to: .max),
            try decimal("1e127").raised(to: .max), try decimal("1e-128").raised(to: .max), try decimal("1e127").raised(to: .min),
            tiny.multiplied(by: tiny), huge.multiplied(by: huge), tiny.multiplied(by: .nan), Decimal(1).divided(by: 0),
            Decimal(0).divided(by: 0), tiny.divided(by: huge), huge.divided(by: tiny), Decimal.nan.divided(by: 1),
            Decimal.nan.rounded(toPlaces: 2), try decimal("1e127").multiplied(by: 10),
        ] {
            expect(result.isNaN)
        }
    }

    @Test("Powers of one and of zero stay in range, however large the exponent")
    func fixedPoints() throws {
        expectEqual(Decimal(1).raised(to: .max), 1)
        expectEqual(Decimal(1).raised(to: .min), 1)
        expectEqual(Decimal(-1).raised(to: .max), -1)
        expectEqual(Decimal(-1).raised(to: .min), 1)
        expectEqual(Decimal(0).raised(to: .max), 0)
        try expectEqual(decimal("1.0").raised(to: .max), 1)
    }

    @Test("A result near the smallest number keeps the digits that fit")
    func gradualUnderflow() throws {
        expect(Decimal(2).divided(by: try decimal("-3e126")) == (try decimal("-67e-128")))
        let least = try decimal("1e-128")
        expectEqual(least.multiplied(by: try decimal("0.5")), least)
        expect(least.multiplied(by: try decimal("0.4")).isNaN)
    }

    @Test("The largest and the smallest decimal are unchanged by multiplying with, dividing by and raising to 1")
    func extremes() {
        for number in [Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 0] {
            expectEqual(number.multiplied(by: 1), number)
            expectEqual(number.divided(by: 1), number)
            expectEqual(number.raised(to: 1), number)
        }
    }

    @Test(
        "Rounding follows each of Swift's rules, on both sides of zero",
        arguments: [
            (FloatingPointRoundingRule.toNearestOrAwayFromZero, ["2.35", "2.34", "2.36", "-2.35"]),
            (.toNearestOrEven, ["2.34", "2.34", "2.36", "-2.34"]),
            (.up, ["2.35", "2.35", "2.36", "-2.34"]), (.down, ["2.34", "2.34", "2.35", "-2.35"]),
            (.towardZero, ["2.34", "2.34", "2.35", "-2.34"]), (.awayFromZero, ["2.35", "2.35", "2.36", "-2.35"]),
        ])
    func rules(rule: FloatingPointRoundingRule, expected: [String]) throws {
        let rounded = try ["2.345", "2.3449", "2.355", "-2.345"].map { try decimal($0).rounded(toPlaces: 2, rule) }
        try expectEqual(rounded, expected.map { try decimal($0) })
    }

    @Test(
        "Each rounding rule considers even the last dropped digit",
        arguments: [
            (FloatingPointRoundingRule.up, ["3", "-2", "2"]), (.down, ["2", "-3", "2"]), (.towardZero, ["2", "-2", "2"]),
            (.awayFromZero, ["3", "-3", "2"]),
        ])
    func least(rule: FloatingPointRoundingRule, expected: [String]) throws {
        let rounded = try ["2.1", "-2.1", "2"].map { try decimal($0).rounded(toPlaces: 0, rule) }
        try expectEqual(rounded, expected.map { try decimal($0) })
    }

    @Test("The places to round to may be negative, large, or out of range")
    func places() throws {
        expectEqual(Decimal(1250).rounded(toPlaces: -2), 1300)
        expectEqual(Decimal(1250).rounded(toPlaces: -4), 0)
        expectEqual(Decimal(5000).rounded(toPlaces: -4), 10000)
        for number in 0..<10 {
            expectEqual(Decimal(10 * number + 5).rounded(toPlaces: -1, .toNearestOrEven), Decimal(20 * ((number + 1) / 2)))
        }
        expectEqual(Decimal(1250).rounded(toPlaces: .min), 0)
        // Exactly one half of the largest power of ten, more than that, and less.
        try expectEqual(decimal("5e37").rounded(toPlaces: -38), decimal("1e38"))
        try expectEqual(decimal("5e37").rounded(toPlaces: -38, .toNearestOrEven), 0)
        try expectEqual(
            decimal("50000000000000000000000000000000000001").rounded(toPlaces: -38, .toNearestOrEven), decimal("1e38"))
        try expectEqual(decimal("49999999999999999999999999999999999999").rounded(toPlaces: -38), 0)
        try expectEqual(decimal("99999999999999999999999999999999999999").rounded(toPlaces: -39), 0)
        try expectEqual(decimal("99999999999999999999999999999999999999").rounded(toPlaces: -39, .awayFromZero), decimal("1e39"))
        // All 39 digits are dropped.
        expectEqual(Decimal.greatestFiniteMagnitude.rounded(toPlaces: -127 - 39), 0)
        expect(Decimal.greatestFiniteMagnitude.significand.rounded(toPlaces: -38) == (try decimal("3e38")))
        try expectEqual(decimal("1.25").rounded(toPlaces: .max), decimal("1.25"))
        expect(Decimal(1).rounded(toPlaces: -40, .up) == (try decimal("1e40")))
        expectEqual(Decimal.greatestFiniteMagnitude.rounded(toPlaces: 0), .greatestFiniteMagnitude)
    }

    @Test("Generated: rounding whole numbers gives the same as arithmetic with `Int`", arguments: Budget.seeds(300, least: 30))
    func rounding(seed: Int) {
        var generator = Dice(seed: seed)
        let number = Int.random(in: -99999...99999, using: &generator)
        let places = Int.random(in: 0...5, using: &generator)
        let unit = [1, 10, 100, 1000, 10000, 100_000][places]
        let half = number.magnitude % UInt(unit) * 2 >= UInt(unit) && unit > 1
        let expected = (number / unit + (half ? number.signum() : 0)) * unit
        expectEqual(Decimal(number).rounded(toPlaces: -places), Decimal(expected))
    }

    @Test("Generated: exact powers obey the laws of exponents", arguments: Budget.seeds(300, least: 30))
    func laws(seed: Int) {
        var generator = Dice(seed: seed)
        let base = Decimal(Int.random(in: -20...20, using: &generator))
        let (m, n) = (Int.random(in: 0...6, using: &generator), Int.random(in: 0...6, using: &generator))
        let sum = base.raised(to: m + n)
        let product = base.raised(to: m * n)
        expectEqual(base.raised(to: m).multiplied(by: base.raised(to: n)), sum)
        if m * n <= 28 { expect(base.raised(to: m).raised(to: n) == product) }
        expectEqual(base.raised(to: m), (0..<m).reduce(Decimal(1)) { product, _ in product * base })
        let difference = base.raised(to: m - n)
        if base != 0, m >= n { expectEqual(base.raised(to: m).divided(by: base.raised(to: n)), difference) }
    }

    @Test("Generated: a product divided by one factor is the other", arguments: Budget.seeds(300, least: 30))
    func inverse(seed: Int) {
        var generator = Dice(seed: seed)
        let left = Decimal(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
        let right = Decimal(Int.random(in: 1...1_000_000_000, using: &generator)).divided(by: 1000)
        expectEqual(left.multiplied(by: right).divided(by: right), left)
        expectEqual(left.multiplied(by: right), left * right)
    }

    private struct NoNumber: Error {}

    private func decimal(_ text: String) throws -> Decimal {
        try Decimal(string: text).orThrow(NoNumber())
    }

    /// Returns the first 36 digits, and the exponent.
    private func digits(of decimal: Decimal) -> String {
        guard let wide = WideDecimal(decimal) else { return "NaN" }
        let rounded = wide.rounded(toPlaces: 36 - String(wide.digits).count - wide.exponent, .toNearestOrEven)
        return "\(rounded.isNegative ? "-" : "")\(rounded.digits)e\(rounded.exponent)"
    }
}

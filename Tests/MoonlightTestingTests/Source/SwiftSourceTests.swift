import Foundation
import MoonlightTestSupport
import MoonlightTesting
import SwiftText
import Testing

private enum Shape {
    case none
    case circle(Double)
    case box(width: Int, height: Int)
    case named(String, Shape2)
    case list([Shape2])
    enum Shape2 {
        case a
        case b(Int)
    }
}

private struct Drawing {
    struct Pen { var color = "red" }
    var pen = Pen()
    var title: String?
    var sizes: [String: Int] = ["b": 2, "a": 1]
}

private struct Hidden { var number = 1 }
private struct Tagged<Tag> {
    struct Inner {}
    var raw = 1
}
private struct Missing: Error {}
private enum Network: Error { case down(Int) }

@Suite("Values as Swift source")
struct SwiftSourceTests {
    @Test("A case is written by its name and its payload")
    func enums() {
        expectEqual(SwiftSource.of(Shape.none), ".none")
        expectEqual(SwiftSource.of(Shape.circle(1.5)), ".circle(1.5)")
        expectEqual(SwiftSource.of(Shape.box(width: 1, height: 2)), ".box(width: 1, height: 2)")
        expectEqual(SwiftSource.of(Shape.named("a\"b", .b(3))), #".named("a\"b", .b(3))"#)
        expectEqual(SwiftSource.of(Shape.list([.a, .b(1)])), ".list([.a, .b(1)])")
    }

    @Test("A case of an enum that describes itself is written by its name")
    func selfDescribing() {
        enum Step: CustomStringConvertible {
            case first
            case next(Int)
            var description: String { "a step" }
        }
        expectEqual(SwiftSource.of([Step.first, .next(2)]), "[.first, .next(2)]")
        expectEqual(SwiftSource.of(Step?.some(.first) as Any), ".first")
    }

    @Test("A case `none` or `some` in an optional, and a nil in an optional of an optional, are wrapped")
    func ambiguous() {
        expectEqual(SwiftSource.of(Shape?.some(.none) as Any), ".some(.none)")
        expectEqual(SwiftSource.of(Shape?.none as Any), "nil")
        expectEqual(SwiftSource.of(Int??.some(.none) as Any), ".some(nil)")
        expectEqual(SwiftSource.of(Int???.some(.some(.none)) as Any), ".some(.some(nil))")
        expectEqual(SwiftSource.of(Int??.some(.some(1)) as Any), "1")
        expectEqual(SwiftSource.of([Shape.none, nil]), "[.some(.none), nil]")
    }

    @Test("A result whose value is a tuple is written with two parentheses")
    func results() {
        expectEqual(SwiftSource.of(Result<Void, Network>.success(())), ".success(())")
        expectEqual(SwiftSource.of(Result<(Int, Int), Network>.success((1, 2))), ".success((1, 2))")
        expectEqual(SwiftSource.of(Result<Int, Network>.failure(.down(1))), ".failure(.down(1))")
    }

    @Test("A struct is written with its fields, and its type without the module")
    func structs() {
        expectEqual(
            SwiftSource.of(Drawing()), #"Drawing(pen: Drawing.Pen(color: "red"), title: nil, sizes: ["a": 1, "b": 2])"#)
        expectEqual(SwiftSource.of(Hidden()), "Hidden(number: 1)")
    }

    @Test("A case is written with its enum if the type is unknown")
    func unknownType() {
        expectEqual(SwiftSource.of(Network.down(1), isTypeKnown: false), "Network.down(1)")
        expectEqual(SwiftSource.of(Missing(), isTypeKnown: false), "Missing()")
    }

    @Test("Collections, tuples, optionals and numbers are written as literals")
    func literals() {
        expectEqual(SwiftSource.of([1, 2]), "[1, 2]")
        expectEqual(SwiftSource.of(Set([2, 1])), "[1, 2]")
        expectEqual(SwiftSource.of([String: Int]()), "[:]")
        expectEqual(SwiftSource.of((1, name: "a")), #"(1, name: "a")"#)
        expectEqual(SwiftSource.of(Int?.some(1) as Any), "1")
        expectEqual(SwiftSource.of(Double.infinity), ".infinity")
        expectEqual(SwiftSource.of("line\nbreak"), #""line\nbreak""#)
    }

    @Test("A text is written with escapes only for invisible characters")
    func texts() {
        expectEqual(SwiftSource.of("it's \"so\" \\ ü\u{1F511}"), #""it's \"so\" \\ ü\#u{1F511}""#)
        expectEqual(SwiftSource.of("\u{0}\t\u{200B}\u{301}e\u{301}\u{A0}"), #""\u{0}\t\u{200B}\u{301}e\#u{301}\u{A0}""#)
        expectEqual(SwiftSource.of("part".dropFirst()), #""art""#)
        expectEqual(SwiftSource.of(Character("\"")), #""\"""#)
    }

    @Test("A duration is written in the largest unit without a fraction")
    func spans() {
        expectEqual(SwiftSource.of(Duration.seconds(2)), ".seconds(2)")
        expectEqual(SwiftSource.of(Duration.milliseconds(300)), ".milliseconds(300)")
        expectEqual(SwiftSource.of(Duration.nanoseconds(1_000_001)), ".nanoseconds(1000001)")
        expectEqual(
            SwiftSource.of(Duration(secondsComponent: 0, attosecondsComponent: 1)),
            "Duration(secondsComponent: 0, attosecondsComponent: 1)")
    }

    @Test("A negative or fractional duration is written in the largest unit that needs no fraction")
    func moreSpans() {
        expectEqual(SwiftSource.of(Duration.zero), ".seconds(0)")
        expectEqual(SwiftSource.of(Duration.seconds(-2)), ".seconds(-2)")
        expectEqual(SwiftSource.of(Duration.milliseconds(-1500)), ".milliseconds(-1500)")
        expectEqual(SwiftSource.of(Duration.microseconds(2_000_001)), ".microseconds(2000001)")
        let large = Duration(secondsComponent: .max, attosecondsComponent: 1_000_000_000)
        expectEqual(SwiftSource.of(large), "Duration(secondsComponent: 9223372036854775807, attosecondsComponent: 1000000000)")
        // The sum exceeds an Int64 of nanoseconds, the seconds alone do not.
        for sign in [1, -1] as [Int64] {
            let centuries = Duration(secondsComponent: sign * 9_223_372_036, attosecondsComponent: sign * 900_000_001_000_000_000)
            expectEqual(
                SwiftSource.of(centuries),
                "Duration(secondsComponent: \(sign * 9_223_372_036), attosecondsComponent: \(sign * 900_000_001_000_000_000))")
        }
        let milliseconds = Duration(secondsComponent: 10_000_000_000, attosecondsComponent: 1_000_000_000_000_000)
        expectEqual(SwiftSource.of(milliseconds), ".milliseconds(10000000000001)")
        let micro = Duration(secondsComponent: 10_000_000_000_000, attosecondsComponent: 1_000_000_000_000)
        expectEqual(SwiftSource.of(micro), "Duration(secondsComponent: 10000000000000, attosecondsComponent: 1000000000000)")
    }

    @Test("A duration whose seconds exceed an Int64 is written as a product")
    func longSpans() {
        expectEqual(SwiftSource.of(Duration.seconds(1 << 62) * 4), "Duration.seconds(576460752303423488) * 32")
        expectEqual(
            SwiftSource.of(Duration.seconds(Int64.max) * -16 - Duration(secondsComponent: 0, attosecondsComponent: 3)),
            "Duration(secondsComponent: -4611686018427387903, attosecondsComponent: -500000000000000000) * 32"
                + " + Duration(secondsComponent: 0, attosecondsComponent: -3)")
    }

    @Test("Numbers that are not finite are written by their names")
    func numbers() {
        expectEqual(SwiftSource.of(Double.nan), ".nan")
        expectEqual(SwiftSource.of(-Double.infinity), "-.infinity")
        expectEqual(SwiftSource.of(Float.infinity), ".infinity")
        expectEqual(SwiftSource.of(-Double.infinity, isTypeKnown: false), "-Double.infinity")
        expectEqual(SwiftSource.of(Double.nan, isTypeKnown: false), "Double.nan")
        expectEqual(SwiftSource.of(Float.nan, isTypeKnown: false), "Double.nan")
        expectEqual(SwiftSource.of(Float(1.5)), "1.5")
        expectEqual(SwiftSource.of(UInt8(7)), "7")
        expectEqual(SwiftSource.of(true), "true")
        expectEqual(SwiftSource.of(Int?.none as Any), "nil")
    }

    @Test("Sets and dictionaries are written in order, even if they are empty")
    func unordered() {
        expectEqual(SwiftSource.of(Set(["c", "a", "b"])), #"["a", "b", "c"]"#)
        expectEqual(SwiftSource.of(["b": [2], "a": []]), #"["a": [], "b": [2]]"#)
        expectEqual(SwiftSource.of(Set<Int>()), "[]")
        expectEqual(SwiftSource.of([Int]()), "[]")
    }

    @Test("The arguments of a call are written as a tuple, even a single one")
    func arguments() {
        expectEqual(SwiftSource.arguments(of: (1, "a")), #"(1, "a")"#)
        expectEqual(SwiftSource.arguments(of: (number: 1, "a")), #"(number: 1, "a")"#)
        expectEqual(SwiftSource.arguments(of: 7), "(7)")
        expectEqual(SwiftSource.arguments(of: ()), "()")
        expectEqual(SwiftSource.arguments(of: Hidden()), "(Hidden(number: 1))")
    }

    @Test("Control characters and separators in a text are written as escapes")
    func escapes() {
        expectEqual(SwiftSource.quoted(""), #""""#)
        expectEqual(SwiftSource.quoted("\r\t\\"), #""\r\t\\""#)
        expectEqual(SwiftSource.quoted("\u{2028}\u{E000}\u{3000}"), #""\u{2028}\u{E000}\u{3000}""#)
        expectEqual(SwiftSource.quoted("a\u{301}"), "\"a\u{301}\"")
        expectEqual(SwiftSource.quoted("\u{301}"), #""\u{301}""#)
        expectEqual(SwiftSource.quoted("\n\u{301}"), #""\n\u{301}""#)
        expectEqual(SwiftSource.quoted("a b"), #""a b""#)
    }

    @Test("A type is written as in its module, with its type parameters")
    func types() {
        expectEqual(SwiftSource.typeName(Drawing.Pen()), "Drawing.Pen")
        expectEqual(SwiftSource.typeName(1), "Int")
        expectEqual(SwiftSource.typeName([Int: String]()), "Dictionary<Int, String>")
        expectEqual(SwiftSource.typeName(Tagged<Hidden>()), "Tagged<Hidden>")
        expectEqual(SwiftSource.typeName(Tagged<[Drawing.Pen?]>.Inner()), "Tagged<Array<Optional<Drawing.Pen>>>.Inner")
        expectEqual(SwiftSource.typeName(Tagged<(Hidden, (Int) -> Shape.Shape2)>()), "Tagged<(Hidden, (Int) -> Shape.Shape2)>")
        expectEqual(SwiftSource.typeName(Shape.Shape2.a), "Shape.Shape2")
    }

    @Test("Values of Foundation are written with their initializers")
    func foundation() {
        expectEqual(SwiftSource.of(Date(timeIntervalSinceReferenceDate: 7.5)), "Date(timeIntervalSinceReferenceDate: 7.5)")
        expectEqual(SwiftSource.of(URL(fileURLWithPath: "/a b")), #"URL(string: "file:///a%20b")!"#)
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        expectEqual(SwiftSource.of(UUID(uuidString: id) ?? UUID()), #"UUID(uuidString: "\#(id)")!"#)
        for count in 0...70 {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 200) })
            expectEqual(SwiftSource.of(data), #"Data(base64Encoded: "\#(data.base64EncodedString())")!"#)
        }
        expectEqual(SwiftSource.of(Decimal(string: "1.25") ?? 0), #"Decimal(string: "1.25")!"#)
    }
}

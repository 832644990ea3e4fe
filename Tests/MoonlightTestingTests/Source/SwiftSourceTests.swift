import Foundation
import MoonlightTesting
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
private struct Missing: Error {}
private enum Network: Error { case down(Int) }

@Suite("Values as Swift source")
struct SwiftSourceTests {
    @Test("a case is written by its name and what it holds")
    func enums() {
        #expect(SwiftSource.of(Shape.none) == ".none")
        #expect(SwiftSource.of(Shape.circle(1.5)) == ".circle(1.5)")
        #expect(SwiftSource.of(Shape.box(width: 1, height: 2)) == ".box(width: 1, height: 2)")
        #expect(SwiftSource.of(Shape.named("a\"b", .b(3))) == #".named("a\"b", .b(3))"#)
        #expect(SwiftSource.of(Shape.list([.a, .b(1)])) == ".list([.a, .b(1)])")
    }

    @Test("a struct is written with its fields, and its type without the module")
    func structs() {
        #expect(
            SwiftSource.of(Drawing()) == #"Drawing(pen: Drawing.Pen(color: "red"), title: nil, sizes: ["a": 1, "b": 2])"#)
        #expect(SwiftSource.of(Hidden()) == "Hidden(number: 1)")
    }

    @Test("where the type is not known, a case names its enum")
    func unknownType() {
        #expect(SwiftSource.of(Network.down(1), isTypeKnown: false) == "Network.down(1)")
        #expect(SwiftSource.of(Missing(), isTypeKnown: false) == "Missing()")
    }

    @Test("collections, tuples, optionals and numbers are literals")
    func literals() {
        #expect(SwiftSource.of([1, 2]) == "[1, 2]")
        #expect(SwiftSource.of(Set([2, 1])) == "[1, 2]")
        #expect(SwiftSource.of([String: Int]()) == "[:]")
        #expect(SwiftSource.of((1, name: "a")) == #"(1, name: "a")"#)
        #expect(SwiftSource.of(Int?.some(1) as Any) == "1")
        #expect(SwiftSource.of(Double.infinity) == ".infinity")
        #expect(SwiftSource.of("line\nbreak") == #""line\nbreak""#)
    }

    @Test("a text is written as it is read, but for what one cannot see")
    func texts() {
        #expect(SwiftSource.of("it's \"so\" \\ ü\u{1F511}") == #""it's \"so\" \\ ü\#u{1F511}""#)
        #expect(SwiftSource.of("\u{0}\t\u{200B}\u{301}e\u{301}\u{A0}") == #""\u{0}\t\u{200B}\u{301}e\#u{301}\u{A0}""#)
        #expect(SwiftSource.of("part".dropFirst()) == #""art""#)
        #expect(SwiftSource.of(Character("\"")) == #""\"""#)
    }

    @Test("a span is written in the largest unit without a fraction")
    func spans() {
        #expect(SwiftSource.of(Duration.seconds(2)) == ".seconds(2)")
        #expect(SwiftSource.of(Duration.milliseconds(300)) == ".milliseconds(300)")
        #expect(SwiftSource.of(Duration.nanoseconds(1_000_001)) == ".nanoseconds(1000001)")
        #expect(
            SwiftSource.of(Duration(secondsComponent: 0, attosecondsComponent: 1))
                == "Duration(secondsComponent: 0, attosecondsComponent: 1)")
    }

    @Test("a span whose seconds have a fraction, or are below zero, is written in the unit that needs none")
    func moreSpans() {
        #expect(SwiftSource.of(Duration.zero) == ".seconds(0)")
        #expect(SwiftSource.of(Duration.seconds(-2)) == ".seconds(-2)")
        #expect(SwiftSource.of(Duration.milliseconds(-1500)) == ".milliseconds(-1500)")
        #expect(SwiftSource.of(Duration.microseconds(2_000_001)) == ".microseconds(2000001)")
        let large = Duration(secondsComponent: .max, attosecondsComponent: 1_000_000_000)
        #expect(SwiftSource.of(large) == "Duration(secondsComponent: 9223372036854775807, attosecondsComponent: 1000000000)")
        let milliseconds = Duration(secondsComponent: 10_000_000_000, attosecondsComponent: 1_000_000_000_000_000)
        #expect(SwiftSource.of(milliseconds) == ".milliseconds(10000000000001)")
        let micro = Duration(secondsComponent: 10_000_000_000_000, attosecondsComponent: 1_000_000_000_000)
        #expect(SwiftSource.of(micro) == "Duration(secondsComponent: 10000000000000, attosecondsComponent: 1000000000000)")
    }

    @Test("numbers that are none, and infinite ones, are written by their names")
    func numbers() {
        #expect(SwiftSource.of(Double.nan) == ".nan")
        #expect(SwiftSource.of(-Double.infinity) == "-.infinity")
        #expect(SwiftSource.of(Float.infinity) == ".infinity")
        #expect(SwiftSource.of(-Double.infinity, isTypeKnown: false) == "-Double.infinity")
        #expect(SwiftSource.of(Double.nan, isTypeKnown: false) == "Double.nan")
        #expect(SwiftSource.of(Float(1.5)) == "1.5")
        #expect(SwiftSource.of(UInt8(7)) == "7")
        #expect(SwiftSource.of(true) == "true")
        #expect(SwiftSource.of(Int?.none as Any) == "nil")
    }

    @Test("sets and dictionaries are written in order, and so are empty ones")
    func unordered() {
        #expect(SwiftSource.of(Set(["c", "a", "b"])) == #"["a", "b", "c"]"#)
        #expect(SwiftSource.of(["b": [2], "a": []]) == #"["a": [], "b": [2]]"#)
        #expect(SwiftSource.of(Set<Int>()) == "[]")
        #expect(SwiftSource.of([Int]()) == "[]")
    }

    @Test("the arguments of a call are those of a tuple, or one")
    func arguments() {
        #expect(SwiftSource.arguments(of: (1, "a")) == #"(1, "a")"#)
        #expect(SwiftSource.arguments(of: (number: 1, "a")) == #"(number: 1, "a")"#)
        #expect(SwiftSource.arguments(of: 7) == "(7)")
        #expect(SwiftSource.arguments(of: ()) == "()")
        #expect(SwiftSource.arguments(of: Hidden()) == "(Hidden(number: 1))")
    }

    @Test("a text may hold what is not to be read, written as escapes")
    func escapes() {
        #expect(SwiftSource.quoted("") == #""""#)
        #expect(SwiftSource.quoted("\r\t\\") == #""\r\t\\""#)
        #expect(SwiftSource.quoted("\u{2028}\u{E000}\u{3000}") == #""\u{2028}\u{E000}\u{3000}""#)
        #expect(SwiftSource.quoted("a\u{301}") == "\"a\u{301}\"")
        #expect(SwiftSource.quoted("\u{301}") == #""\u{301}""#)
        #expect(SwiftSource.quoted("\n\u{301}") == #""\n\u{301}""#)
        #expect(SwiftSource.quoted("a b") == #""a b""#)
    }

    @Test("a type is named as in its module, with the types of its parameters")
    func types() {
        #expect(SwiftSource.typeName(Drawing.Pen()) == "Drawing.Pen")
        #expect(SwiftSource.typeName(1) == "Int")
        #expect(SwiftSource.typeName([Int: String]()) == "Dictionary<Swift.Int, Swift.String>")
        #expect(SwiftSource.typeName(Shape.Shape2.a) == "Shape.Shape2")
    }

    @Test("values of Foundation are written with their initializers")
    func foundation() {
        #expect(SwiftSource.of(Date(timeIntervalSinceReferenceDate: 7.5)) == "Date(timeIntervalSinceReferenceDate: 7.5)")
        #expect(SwiftSource.of(URL(fileURLWithPath: "/a b")) == #"URL(string: "file:///a%20b")!"#)
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        #expect(SwiftSource.of(UUID(uuidString: id) ?? UUID()) == #"UUID(uuidString: "\#(id)")!"#)
        #expect(SwiftSource.of(Decimal(string: "1.25") ?? 0) == #"Decimal(string: "1.25")!"#)
    }
}

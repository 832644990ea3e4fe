import MoonlightTesting
import Testing

private enum Shape {
    case none, circle(Double), box(width: Int, height: Int), named(String, Shape2), list([Shape2])
    enum Shape2 { case a, b(Int) }
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
}

// The states, and the functions that apply effects to them, for all contenders.

/// A small state without references.
struct Small: Equatable, Sendable {
    var count = 0
    var sum = 0

    mutating func add(_ number: Int) {
        count &+= 1
        sum &+= number
    }

    static let returning: @Sendable (Small, Int) -> Small = { state, number in
        var next = state
        next.add(number)
        return next
    }
    static let inPlace: @Sendable (inout Small, Int) -> Void = { $0.add($1) }
}

/// MoonKit's example: the last ten lines.
struct History: Equatable, Sendable {
    var lines: [String] = []

    mutating func add(_ number: Int) {
        if lines.count == 10 { lines.removeFirst() }
        lines.append(number & 1 == 0 ? "An even number has come." : "A number that is odd has come.")
    }

    static let returning: @Sendable (History, Int) -> History = { state, number in
        var next = state
        next.add(number)
        return next
    }
    static let inPlace: @Sendable (inout History, Int) -> Void = { $0.add($1) }
}

struct Four<Part: Equatable & Sendable>: Equatable, Sendable {
    var a: Part
    var b: Part
    var c: Part
    var d: Part
    init(_ part: Part) { (a, b, c, d) = (part, part, part, part) }
}

/// A state of 10 KB without references.
struct Large: Equatable, Sendable {
    var small = Small()
    var most = Four(Four(Four(Four(Four(0)))))
    var rest = Four(Four(Four(Four(0))))

    static let returning: @Sendable (Large, Int) -> Large = { state, number in
        var next = state
        next.small.add(number)
        return next
    }
}

// Children at any depth, and the events that reach them.

struct Leaf: Equatable, Sendable { var count = 0 }

struct Nest<Child: Equatable & Sendable>: Equatable, Sendable {
    var child: Child
    var others = 0
}

enum Nested<Inner: Sendable>: Sendable {
    case child(Inner)
    case others(Int)
}

/// A parent of many children.
struct Family<Children: Equatable & Sendable>: Equatable, Sendable {
    var children: Children
    var title = ""
}

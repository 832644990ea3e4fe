import MoonlightTestSupport

/// A number that counts comparisons in the current task.
struct CountedNumber: Equatable, Sendable {
    var number: Int
    init(_ number: Int) { self.number = number }

    @TaskLocal private static var counter: Counter?

    /// Returns the number of comparisons that a closure makes.
    static func comparisons(_ body: () -> Void) -> Int {
        let counter = Counter()
        $counter.withValue(counter, operation: body)
        return counter.value
    }

    static func == (one: Self, other: Self) -> Bool {
        counter?.add()
        return one.number == other.number
    }
}

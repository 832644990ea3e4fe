import MoonlightTestSupport

/// A number that counts how often two of its kind are compared, by the task that asked.
struct CountedNumber: Equatable, Sendable {
    var number: Int
    init(_ number: Int) { self.number = number }

    @TaskLocal private static var counter: Counter?

    /// The number of comparisons that a closure makes.
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

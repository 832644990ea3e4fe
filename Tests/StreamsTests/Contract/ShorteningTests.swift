import MoonlightTestSupport
import Streams
import Testing

/// Operators that end before their upstream: the upstream is cancelled before the subscriber receives the completion.
@Suite("Operators that end early cancel their upstream first")
struct ShorteningTests {
    struct Shortening: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let shorten: @Sendable (Ints, PassthroughSubject<Int, Oops>) -> Ints

        init(_ description: String, _ shorten: @escaping @Sendable (Ints, PassthroughSubject<Int, Oops>) -> Ints) {
            (testDescription, self.shorten) = (description, shorten)
        }

        /// An upstream that never fails, for the operators that throw any error.
        init(throwing description: String, _ shorten: @escaping @Sendable (Ints) -> AnyPublisher<Int, any Error>) {
            self.init(description) { up, _ in shorten(up).mapError { $0 as? Oops ?? .second }.eraseToAnyPublisher() }
        }

        static let all = [
            Shortening("first") { up, _ in up.first().eraseToAnyPublisher() },
            Shortening("first(where:)") { up, _ in up.first { $0 == 1 }.eraseToAnyPublisher() },
            Shortening(throwing: "tryFirst(where:)") {
                $0.tryFirst { (value: Int) throws -> Bool in value == 1 }.eraseToAnyPublisher()
            },
            Shortening(throwing: "tryFirst(where:), throwing") {
                $0.tryFirst { (_: Int) throws -> Bool in throw Oops.first }.eraseToAnyPublisher()
            },
            Shortening("prefix") { up, _ in up.prefix(1).eraseToAnyPublisher() },
            Shortening("prefix of none") { up, _ in up.prefix(0).eraseToAnyPublisher() },
            Shortening("prefix(while:)") { up, _ in up.prefix { $0 < 1 }.eraseToAnyPublisher() },
            Shortening(throwing: "tryPrefix(while:)") {
                $0.tryPrefix { (value: Int) throws -> Bool in value < 1 }.eraseToAnyPublisher()
            },
            Shortening("prefix(untilOutputFrom:)") { up, other in up.prefix(untilOutputFrom: other).eraseToAnyPublisher() },
            Shortening("output(at:)") { up, _ in up.output(at: 0).eraseToAnyPublisher() },
            Shortening("output(in:)") { up, _ in up.output(in: 0..<1).eraseToAnyPublisher() },
            Shortening("contains") { up, _ in up.contains(1).map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
            Shortening("contains(where:)") { up, _ in up.contains { $0 == 1 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
            Shortening("allSatisfy") { up, _ in up.allSatisfy { $0 > 1 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
            Shortening(throwing: "tryMap") { $0.tryMap { (_: Int) throws -> Int in throw Oops.first }.eraseToAnyPublisher() },
            Shortening(throwing: "tryFilter") {
                $0.tryFilter { (_: Int) throws -> Bool in throw Oops.first }.eraseToAnyPublisher()
            },
            Shortening("merge with a failure") { up, other in
                up.merge(with: other.tryMap { (_: Int) throws(Oops) -> Int in throw .first }).eraseToAnyPublisher()
            },
            Shortening("zip with one that has ended") { up, other in
                up.zip(other.prefix(1)).map { $0 + $1 }.eraseToAnyPublisher()
            },
        ]
    }

    @Test(
        "An operator that ends early cancels its upstream before it delivers the completion", arguments: Shortening.all,
        [false, true])
    func cancelsFirst(_ operation: Shortening, viaSubject: Bool) {
        let log = Log<String>()
        let (probe, subject, other) = (Probe<Int, Oops>(), PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let source = viaSubject ? subject.eraseToAnyPublisher() : probe.eraseToAnyPublisher()
        let cancellable = operation.shorten(
            source.handleEvents(receiveCancel: { log.append("closed") }).eraseToAnyPublisher(), other
        )
        .sink(receiveCompletion: { _ in log.append("ended") }, receiveValue: { _ in })
        if viaSubject { subject.send(1) } else { probe.send(1) }
        other.send(1)
        expectEqual(log.items, ["closed", "ended"])
        withExtendedLifetime(cancellable) {}
    }
}

import Synchronization

/// The declaration of a child in a composed reducer: its name, and where in the source it is declared.
@usableFromInline
final class Scope: Sendable {
    private static let count = Atomic<Int>(0)

    /// Unique in the process.
    let number: Int
    let name: String
    let file: String
    let line: Int

    @usableFromInline
    init<Part>(_ name: String?, of part: Part.Type, file: String, line: Int) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        self.name = name ?? "\(Part.self)#\(number)"
        self.file = file
        self.line = line
    }

    @usableFromInline var key: ScopeKey { ScopeKey(scope: number, id: nil) }

    @usableFromInline
    func key(_ id: AnyID) -> ScopeKey { ScopeKey(scope: number, id: id) }

    func element(_ id: AnyID?) -> ScopePath.Element { .init(name, id: id) }

    /// Runs `body` for a child, and prepends the child to the path of a ``Rejection`` that it throws.
    @inlinable
    func locating<Result>(
        _ id: @autoclosure () -> AnyID? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw located(error, id()) }
    }

    @usableFromInline
    func located(_ error: any Error, _ id: AnyID?) -> any Error {
        guard let rejection = error as? Rejection else { return error }
        return rejection.located(in: element(id))
    }

    /// Returns the rejection of an event for an absent child.
    @usableFromInline
    func absence(_ id: AnyID?) -> Rejection {
        Rejection("the child is absent", isForAbsentChild: true, path: ScopePath([element(id)]), file: file, line: line)
    }
}

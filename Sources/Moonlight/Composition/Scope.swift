import Synchronization

/// A place for a child, as declared: what it is called, and where in the source that is.
@usableFromInline
final class Scope: Sendable {
    private static let count = Atomic<Int>(0)

    let number: Int
    let name: String
    let file: String
    let line: Int

    @usableFromInline
    init<Part>(_ name: String?, of part: Part.Type, file: String, line: Int) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        self.name = name ?? "\(Part.self)#\(number)"
        (self.file, self.line) = (file, line)
    }

    @usableFromInline var key: ScopeKey { ScopeKey(scope: number, id: nil) }

    @usableFromInline
    func key(_ id: AnyID) -> ScopeKey { ScopeKey(scope: number, id: id) }

    func element(_ id: AnyID?) -> ScopePath.Element { .init(name, id: id) }

    /// Runs something in a child: what it refuses has happened there.
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

    /// What is thrown at an event for a child that is not there.
    @usableFromInline
    func absence(_ id: AnyID?) -> Rejection {
        Rejection(.absentChild, "there is no such child", path: ScopePath([element(id)]), file: file, line: line)
    }
}

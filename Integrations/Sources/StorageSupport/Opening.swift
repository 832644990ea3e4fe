import MoonlightDurability
import Synchronization

/// The content of an open storage: none before, one opening at a time, and none after it is closed.
package final class Opening<Content>: Sendable {
    package let name: String
    private let user: String
    private let guarded = Mutex(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: only used behind the lock. What is read of it are copies, of things that guard themselves or that a store or a fleet
        // uses one call after another.
        var content: Content?
        var isTaken = false
    }

    /// - Parameters:
    ///   - name: The name of the log or logs.
    ///   - user: Who has them, for an error: `store`.
    package init(_ name: String, of user: String) {
        self.name = name
        self.user = user
    }

    /// The content; nil if nothing is open.
    package var content: Content? { guarded.withLock { Copy(value: $0.content) }.value }

    /// The content of the open storage.
    ///
    /// - Throws: `DurabilityError.closed`.
    package var live: Content {
        get throws(DurabilityError) {
            guard let content else { throw .closed }
            return content
        }
    }

    /// Opens it. If the closure throws, nothing is open.
    package func open(_ make: () throws -> Content) throws {
        let isFree = guarded.withLock { guarded in
            defer { guarded.isTaken = true }
            return !guarded.isTaken
        }
        guard isFree else { throw DurabilityError.inUse(place: name, holder: "another \(user) with the same storage") }
        do {
            let copy = Copy(value: try make())
            guarded.withLock { $0.content = copy.value }
        } catch {
            guarded.withLock { $0.isTaken = false }
            throw error
        }
    }

    /// Changes what is open; does nothing if it is closed.
    package func change(_ body: (inout Content) -> Void) {
        guarded.withLock { guarded in
            guard guarded.content != nil else { return }
            body(&guarded.content!)
        }
    }

    /// Closes it.
    ///
    /// - Parameter end: Ends what is open; not called if nothing is.
    package func close(_ end: (Content) -> Void) {
        guard let open = guarded.withLock({ Copy(value: $0.content.take()) }).value else { return }
        end(open)
        guarded.withLock { $0.isTaken = false }
    }

    private struct Copy<Value>: @unchecked Sendable {
        // Sound: passed out of the lock to one caller.
        let value: Value
    }
}

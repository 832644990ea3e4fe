import MoonlightDurability
import Synchronization

/// The content of a storage while it is open. It opens one at a time, and cannot be used after it is closed.
package final class Opening<Content>: Sendable {
    package let name: String
    private let user: String
    private let guarded = Mutex(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: only accessed behind the lock. Readers receive copies of values that are synchronized, or that a store or a
        // fleet uses one call after another.
        var content: Content?
        var isTaken = false
    }

    /// - Parameters:
    ///   - name: The name of the logs.
    ///   - user: The kind of owner in errors, such as `store`.
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

    /// Opens the storage. If the closure throws, it stays closed.
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

    /// Changes the content; does nothing if the storage is closed.
    package func change(_ body: (inout Content) -> Void) {
        guarded.withLock { guarded in
            guard guarded.content != nil else { return }
            body(&guarded.content!)
        }
    }

    /// Closes the storage.
    ///
    /// - Parameter end: Ends the content; not called if the storage is not open.
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

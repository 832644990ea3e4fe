#if canImport(Glibc)
    import Foundation
    import Glibc
    import Testing

    @testable import MoonlightDurability

    @Suite("A lock on a file")
    struct SystemLockTests {
        @Test("A lock is released by `unlock()`, even while a process that is being started has a copy of its descriptor")
        func copied() throws {
            let path = FileManager.default.temporaryDirectory.path + "/lock-\(UInt64.random(in: 0...UInt64.max))"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let files = SystemFiles()
            guard case .taken(let lock) = try files.lock(path, note: "first") else {
                Issue.record("the lock is free")
                return
            }
            // `fork` copies all descriptors, until `exec` closes them.
            let copy = dup(try #require(try descriptor(of: path)))
            defer { close(copy) }
            guard case .held(by: "first") = try files.lock(path, note: "second") else {
                Issue.record("two have the lock")
                return
            }
            lock.unlock()
            guard case .taken(let next) = try files.lock(path, note: "third") else {
                Issue.record("the lock is held by the copy")
                return
            }
            next.unlock()
        }

        private func descriptor(of path: String) throws -> Int32? {
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real
            }
        }
    }
#endif

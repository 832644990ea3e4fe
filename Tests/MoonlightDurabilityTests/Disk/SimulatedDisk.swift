import MoonlightDurability
import Streams

/// A disk that can crash.
///
/// It keeps synced and unsynced changes apart. Every write, sync, truncation, rename and removal is counted. The disk can crash
/// at one of these calls: from then on, every call fails, and ``contents`` returns what may be on the disk when it is used again.
/// Other calls can fail, as on a full or a worn-out disk.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
    // Sound: all state is behind the lock, and an `OpenFile` only calls this object.

    /// The failure of a call.
    enum Fault: Hashable {
        /// Nothing is written. A failed sync forgets which bytes it has not written, and a later sync does not write them either.
        case fails(Int32)
        /// Only this number of bytes is written, which is not an error.
        case isShort(Int)
    }

    /// An unsynced change.
    enum Change: Hashable {
        case write(offset: Int, bytes: [UInt8])
        case cut(size: Int)
    }

    /// An unsynced change of a name.
    enum NameChange: Hashable {
        case make(String, file: Int)
        case rename(String, to: String)
        case remove(String)
    }

    struct File: Hashable {
        var durable: [UInt8] = []
        /// Changes that the next sync makes durable.
        var pending: [Change] = []
        /// Changes that a failed sync has forgotten, and that may be durable or not.
        var forgotten: [Change] = []
        /// The bytes that a reader sees.
        var view: [UInt8] = []
    }

    /// The changes that a crash may lose, and those that are certain.
    struct Contents: Hashable {
        var files: [Int: File] = [:]
        /// The durable names, and the names after the next sync.
        var names: [String: Int] = [:]
        var view: [String: Int] = [:]
        var changes: [NameChange] = []
    }

    private struct State {
        var contents = Contents()
        var made = 0
        var calls = 0
        var crash: Int?
        var isCrashed = false
        var faults: [Int: Fault] = [:]
        var locks: [String: String] = [:]
        var syncs = 0
        var beforeSync: (@Sendable () -> Void)?
        var beforeRead: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    init() {}

    /// Creates a disk with synced files.
    init(_ files: [String: [UInt8]]) {
        state.withLock { state in
            for (name, bytes) in files {
                state.made += 1
                state.contents.files[state.made] = File(durable: bytes, view: bytes)
                state.contents.names[name] = state.made
            }
            state.contents.view = state.contents.names
        }
    }

    /// The number of the call at which the disk crashes, from 1.
    var crash: Int? {
        get { state.withLock { $0.crash } }
        set { state.withLock { $0.crash = newValue } }
    }

    var faults: [Int: Fault] {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Called before each sync of a file, on the thread that syncs; may block.
    var beforeSync: (@Sendable () -> Void)? {
        get { state.withLock { $0.beforeSync } }
        set { state.withLock { $0.beforeSync = newValue } }
    }

    /// Called before each read of a file, on the thread that reads.
    var beforeRead: (@Sendable () -> Void)? {
        get { state.withLock { $0.beforeRead } }
        set { state.withLock { $0.beforeRead = newValue } }
    }

    /// The number of changing calls so far.
    var calls: Int { state.withLock { $0.calls } }
    var syncs: Int { state.withLock { $0.syncs } }
    var isCrashed: Bool { state.withLock { $0.isCrashed } }
    var contents: Contents { state.withLock { $0.contents } }

    /// The bytes that a reader sees before a crash.
    var files: [String: [UInt8]] {
        state.withLock { state in state.contents.view.mapValues { state.contents.files[$0]?.view ?? [] } }
    }

    /// Releases all locks, as the end of a process does.
    func unlockAll() { state.withLock { $0.locks = [:] } }

    // MARK: Calls

    /// Counts a changing call, and returns its failure.
    private static func begin(
        _ state: inout State, _ operation: String, _ path: String
    ) throws(DurabilityError) -> (fault: Fault?, crashes: Bool) {
        if state.isCrashed { throw DurabilityError.file(call: operation, path: path, code: .device) }
        state.calls += 1
        if state.calls == state.crash { state.isCrashed = true }
        return (state.faults[state.calls], state.isCrashed)
    }

    func makeFolder(_ path: String) throws(DurabilityError) -> Bool { false }

    func names(in folder: String) throws(DurabilityError) -> [String] {
        try state.withLock { state throws(DurabilityError) in
            if state.isCrashed { throw DurabilityError.file(call: "list", path: folder, code: .device) }
            return state.contents.view.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
        }
    }

    func open(_ path: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile {
        try state.withLock { state throws(DurabilityError) in
            if state.isCrashed { throw DurabilityError.file(call: "open", path: path, code: .device) }
            guard case .replacing = access else {
                guard let number = state.contents.view[path] else {
                    throw DurabilityError.file(call: "open", path: path, code: .missing)
                }
                return SimulatedFile(self, number, path)
            }
            let (fault, crashes) = try Self.begin(&state, "open", path)
            if case .fails(let code) = fault { throw DurabilityError.file(call: "open", path: path, code: code) }
            state.made += 1
            state.contents.files[state.made] = File()
            state.contents.view[path] = state.made
            state.contents.changes.append(.make(path, file: state.made))
            if crashes { throw DurabilityError.file(call: "open", path: path, code: .device) }
            return SimulatedFile(self, state.made, path)
        }
    }

    func rename(_ path: String, to newPath: String) throws(DurabilityError) {
        try state.withLock { state throws(DurabilityError) in
            let (fault, crashes) = try Self.begin(&state, "rename", path)
            if case .fails(let code) = fault { throw DurabilityError.file(call: "rename", path: path, code: code) }
            guard let number = state.contents.view.removeValue(forKey: path) else {
                throw DurabilityError.file(call: "rename", path: path, code: .missing)
            }
            state.contents.view[newPath] = number
            state.contents.changes.append(.rename(path, to: newPath))
            if crashes { throw DurabilityError.file(call: "rename", path: path, code: .device) }
        }
    }

    func remove(_ path: String) throws(DurabilityError) {
        try state.withLock { state throws(DurabilityError) in
            let (fault, crashes) = try Self.begin(&state, "remove", path)
            if case .fails(let code) = fault { throw DurabilityError.file(call: "remove", path: path, code: code) }
            state.contents.view[path] = nil
            state.contents.changes.append(.remove(path))
            if crashes { throw DurabilityError.file(call: "remove", path: path, code: .device) }
        }
    }

    func syncFolder(_ path: String) throws(DurabilityError) {
        try state.withLock { state throws(DurabilityError) in
            let (fault, crashes) = try Self.begin(&state, "sync", path)
            if case .fails(let code) = fault { throw DurabilityError.file(call: "sync", path: path, code: code) }
            if crashes { throw DurabilityError.file(call: "sync", path: path, code: .device) }
            (state.contents.names, state.contents.changes) = (state.contents.view, [])
        }
    }

    func lock(_ path: String, note: String) throws(DurabilityError) -> FileLockAnswer {
        state.withLock { state in
            if let holder = state.locks[path] { return .held(by: holder) }
            state.locks[path] = note
            return .taken(SimulatedLock(self, path))
        }
    }

    // MARK: For its files

    func view(_ number: Int) throws(DurabilityError) -> [UInt8] {
        try state.withLock { state throws(DurabilityError) in
            if state.isCrashed { throw DurabilityError.file(call: "read", path: nil, code: .device) }
            return state.contents.files[number]?.view ?? []
        }
    }

    func change(
        _ number: Int, _ path: String, _ operation: String, _ change: Change
    ) throws(DurabilityError) -> Int {
        try state.withLock { state throws(DurabilityError) in
            let (fault, crashes) = try Self.begin(&state, operation, path)
            var change = change
            var count = 0
            if case .write(let offset, let bytes) = change {
                count = bytes.count
                if case .isShort(let most) = fault {
                    count = min(most, count)
                    change = .write(offset: offset, bytes: Array(bytes.prefix(count)))
                }
            }
            if case .fails(let code) = fault { throw DurabilityError.file(call: operation, path: path, code: code) }
            state.contents.files[number]?.pending.append(change)
            change.make(in: &state.contents.files[number, default: File()].view)
            if crashes { throw DurabilityError.file(call: operation, path: path, code: .device) }
            return count
        }
    }

    func sync(_ number: Int, _ path: String) throws(DurabilityError) {
        beforeSync?()
        try state.withLock { state throws(DurabilityError) in
            let (fault, crashes) = try Self.begin(&state, "sync", path)
            if crashes { throw DurabilityError.file(call: "sync", path: path, code: .device) }
            guard var file = state.contents.files[number] else { return }
            state.syncs += 1
            if case .fails(let code) = fault {
                file.forgotten += file.pending
                file.pending = []
                state.contents.files[number] = file
                throw DurabilityError.file(call: "sync", path: path, code: code)
            }
            for change in file.pending { change.make(in: &file.durable) }
            file.pending = []
            state.contents.files[number] = file
        }
    }

    func unlock(_ path: String) { state.withLock { $0.locks[path] = nil } }
}

extension SimulatedDisk.Change {
    func make(in bytes: inout [UInt8]) {
        switch self {
        case .write(let offset, let new):
            if bytes.count < offset { bytes += [UInt8](repeating: 0, count: offset - bytes.count) }
            bytes.replaceSubrange(offset..<min(bytes.count, offset + new.count), with: new)
        case .cut(let size):
            if bytes.count > size { bytes.removeLast(bytes.count - size) }
        }
    }
}

private final class SimulatedFile: OpenFile {
    private let disk: SimulatedDisk
    private let number: Int
    private let path: String

    init(_ disk: SimulatedDisk, _ number: Int, _ path: String) {
        self.disk = disk
        self.number = number
        self.path = path
    }

    func size() throws(DurabilityError) -> Int { try disk.view(number).count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int {
        disk.beforeRead?()
        let bytes = try disk.view(number).dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurabilityError) -> Int {
        try disk.change(number, path, "write", .write(offset: offset, bytes: Array(bytes)))
    }

    func truncate(to size: Int) throws(DurabilityError) { _ = try disk.change(number, path, "truncate", .cut(size: size)) }
    func sync() throws(DurabilityError) { try disk.sync(number, path) }
    func close() {}
}

private final class SimulatedLock: FileLock {
    private let disk: SimulatedDisk
    private let path: String

    init(_ disk: SimulatedDisk, _ path: String) {
        self.disk = disk
        self.path = path
    }

    func unlock() { disk.unlock(path) }
}

// Error numbers that all systems share.
extension Int32 {
    static var missing: Int32 { 2 }
    static var device: Int32 { 5 }
    static var full: Int32 { 28 }
}

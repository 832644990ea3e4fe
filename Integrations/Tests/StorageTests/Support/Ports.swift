import Foundation
import Synchronization

/// Free ports of the loopback interface, for servers that need a fixed port.
enum Ports {
    private static let given = Mutex<Set<Int>>([])

    /// Returns unused ports, each to one caller in this process. They are below the ephemeral range, so that no connection takes
    /// one before its server is started.
    static func free(_ count: Int) throws -> [Int] {
        var ports: [Int] = []
        for _ in 0..<1000 where ports.count < count {
            let port = Int.random(in: 10_000..<30_000)
            if given.withLock({ $0.insert(port).inserted }), isFree(port) { ports.append(port) }
        }
        guard ports.count == count else { throw Programs.Failure(description: "there are no free ports") }
        return ports
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // As servers do: a closed connection does not occupy the port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

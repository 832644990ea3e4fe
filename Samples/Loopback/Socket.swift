import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connection to another program on this machine. It is closed when nobody holds it any more.
final class Socket: Sendable {
    let descriptor: Int32

    /// Takes a connection over.
    ///
    /// - Parameter patience: How many seconds the other side may keep still before a call fails.
    init(descriptor: Int32, patience: Int) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval()
        limit.tv_sec = patience
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Connects to a server.
    static func connected(to url: LoopbackURL, patience: Int) throws(SystemError) -> Socket {
        // A machine may know itself by either kind of address, and a server may listen at one only.
        let isVersion6 = url.host == "[::1]"
        do throws(SystemError) {
            return try connected(to: SocketAddress(port: url.port, isVersion6: isVersion6), patience)
        } catch {
            guard url.host == "localhost" else { throw error }
            do throws(SystemError) {
                return try connected(to: SocketAddress(port: url.port, isVersion6: true), patience)
            } catch _ {
                throw error
            }
        }
    }

    private static func connected(to address: SocketAddress, _ patience: Int) throws(SystemError) -> Socket {
        let connection = Socket(descriptor: try SocketAddress.socket(address.family), patience: patience)
        let result = address.withPointer { connect(connection.descriptor, $0, $1) }
        guard result == 0 else { throw .last("connect to \(address)") }
        return connection
    }

    /// Wakes whoever reads or writes: there is nothing more, either way. Safe from any thread.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads what is there, at most so many bytes; none at the end.
    func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while true {
                let result = recv(descriptor, buffer.baseAddress, count, 0)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = .last("read from the connection") }
                filled = max(0, result)
                return
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("write to the connection") }
            rest = rest.dropFirst(count)
        }
    }
}

/// An address of this machine, in the system's words.
struct SocketAddress: CustomStringConvertible {
    let port: UInt16
    let isVersion6: Bool

    var description: String { "\(isVersion6 ? "[::1]" : "127.0.0.1"):\(port)" }

    var family: Int32 { isVersion6 ? AF_INET6 : AF_INET }

    /// A socket that is not connected yet.
    static func socket(_ family: Int32) throws(SystemError) -> Int32 {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        #if canImport(Glibc)
            let descriptor = Glibc.socket(family, stream, 0)
        #elseif canImport(Musl)
            let descriptor = Musl.socket(family, stream, 0)
        #else
            let descriptor = Darwin.socket(family, stream, 0)
        #endif
        guard descriptor >= 0 else { throw .last("make a socket") }
        return descriptor
    }

    /// Calls a function that takes an address.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return Self.pass(address, body)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return Self.pass(address, body)
    }

    private static func pass<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
import Model
#endif

/// Resolves the name of a host.
package protocol NameResolver: Sendable {
    /// The addresses in the order in which to try them; empty if the name has none.
    func addresses(of host: String) async throws -> [IPAddress]
}

/// Uses the system's resolver on dedicated threads, because a lookup cannot be interrupted.
package struct SystemNameResolver: NameResolver {
    private let threads: NIOThreadPool

    package init(threads: NIOThreadPool) {
        self.threads = threads
    }

    package func addresses(of host: String) async throws -> [IPAddress] {
        try await threads.runIfActive { Self.ask(host) }
    }

    private static func ask(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if os(Linux) && !canImport(Musl)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let info = next {
            next = info.pointee.ai_next
            guard let raw = info.pointee.ai_addr else { continue }
            let address: SocketAddress
            switch info.pointee.ai_family {
            case AF_INET:
                address = raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    SocketAddress($0.pointee)
                }
            case AF_INET6:
                address = raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    SocketAddress($0.pointee)
                }
            default: continue
            }
            if let address = address.ipAddress.flatMap(IPAddress.init), !addresses.contains(address)
            {
                addresses.append(address)
            }
        }
        return addresses
    }
}

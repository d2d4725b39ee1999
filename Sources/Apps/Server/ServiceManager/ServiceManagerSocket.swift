import Foundation

package struct ServiceManagerError: Error, CustomStringConvertible {
    var call: String
    var code: Int32

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The datagram socket of a service manager. NIO has no datagrams over sockets of this system.
package enum ServiceManagerSocket {
    /// Sends one datagram without waiting.
    ///
    /// - Parameter path: A path, or an abstract name behind `@`.
    package static func send(_ text: String, to path: String) throws(ServiceManagerError) {
        #if os(Linux)
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw ServiceManagerError(call: "socket", code: errno) }
        defer { close(descriptor) }
        let bytes = Array(path.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // A path ends with a zero byte, which has to fit too; an abstract name begins with one.
        guard bytes.count < room else {
            throw ServiceManagerError(call: "socket", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { name in
            name.copyBytes(from: bytes)
            if bytes.first == UInt8(ascii: "@") { name[0] = 0 }
        }
        let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let isAbstract = bytes.first == UInt8(ascii: "@")
        let length = socklen_t(header + bytes.count + (isAbstract ? 0 : 1))
        let content = Array(text.utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, content, content.count, Int32(MSG_DONTWAIT), pointer, length)
            }
        }
        guard sent == content.count else { throw ServiceManagerError(call: "sendto", code: errno) }
    }
}

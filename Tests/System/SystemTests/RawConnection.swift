import Foundation

/// A connection on which a test says exactly what it wants, well formed or not.
final class RawConnection {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    private let socket: Int32

    init(port: Int) throws {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        socket = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var wait = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Problem(description: "no connection: \(errno)") }
    }

    deinit { close(socket) }

    /// Sends what the other side still takes.
    func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
            #else
            let flags: Int32 = 0
            #endif
            let count = bytes[start...].withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return }
            start += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// One answer, as far as it has come when its length is reached or the other side closes.
    func answer() throws -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count == 0 { return text }
            guard count > 0 else {
                if errno == ECONNRESET { return text }
                throw Problem(description: "nothing came for ten minutes, after '\(text)'")
            }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
                .first { $0.hasPrefix("content-length:") }?
                .split(separator: " ").last.flatMap { Int($0) }
            if let length, text[end.upperBound...].utf8.count >= length { return text }
        }
    }
}

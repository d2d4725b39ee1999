import Foundation
import NoroshiOutbox

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A little HTTP/1.1 server over plain sockets, so that the SDK's real transport is tested against
/// something that shares no code with it.
package final class SocketServer: Sendable {
    package typealias Handler = @Sendable (NoroshiRequest) throws -> NoroshiResponse

    private let descriptor: Int32
    package let port: UInt16

    /// Starts to listen on a free port of 127.0.0.1.
    package init(_ handler: @escaping Handler) throws {
        let listener = socket(AF_INET, Self.streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else {
            throw NoroshiError(code: .network, message: "no port could be opened")
        }
        descriptor = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, handler) }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    package var endpoint: String { "http://127.0.0.1:\(port)" }

    #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
    private static let streamType = SOCK_STREAM
    private static let sendFlags: Int32 = 0
    #endif

    private static func serve(_ connection: Int32, _ handler: Handler) {
        defer { close(connection) }
        var received = Data()
        let separator = Data("\r\n\r\n".utf8)
        while received.range(of: separator) == nil {
            guard receive(connection, into: &received) else { return }
        }
        guard let end = received.range(of: separator) else { return }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        if headers["expect"] != nil {
            transmit(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
        }
        let length = Int(headers["content-length"] ?? "") ?? 0
        var body = Data(received[end.upperBound...])
        while body.count < length {
            guard receive(connection, into: &body) else { return }
        }
        let words = lines[0].split(separator: " ")
        guard words.count == 3, let url = URL(string: "http://127.0.0.1" + words[1]) else { return }
        let request = NoroshiRequest(
            method: String(words[0]),
            url: url,
            headers: headers,
            body: body
        )
        // An error stands for a connection that breaks without an answer.
        guard let response = try? handler(request) else { return }
        var head = "HTTP/1.1 \(response.status) -\r\nConnection: close\r\n"
        head += "Content-Length: \(response.body.count)\r\n"
        for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
        transmit(Data((head + "\r\n").utf8) + response.body, to: connection)
    }

    private static func receive(_ connection: Int32, into data: inout Data) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        data.append(contentsOf: buffer[..<count])
        return true
    }

    private static func transmit(_ data: Data, to connection: Int32) {
        var sent = 0
        data.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = send(
                    connection,
                    bytes.baseAddress?.advanced(by: sent),
                    bytes.count - sent,
                    sendFlags
                )
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}

import NIOCore

/// The nine bytes before every HTTP/2 frame (RFC 9113, 4.1).
struct HTTP2FrameHeader {
    static let size = 9

    var length: Int
    var type: UInt8
    var flags: UInt8
    var streamID: UInt32

    /// Reads a header at the reader index without moving it.
    static func peek(_ buffer: ByteBuffer) -> HTTP2FrameHeader? {
        guard buffer.readableBytes >= size,
            let word = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self),
            let flags = buffer.getInteger(at: buffer.readerIndex + 4, as: UInt8.self),
            let stream = buffer.getInteger(at: buffer.readerIndex + 5, as: UInt32.self)
        else { return nil }
        return HTTP2FrameHeader(
            length: Int(word >> 8),
            type: UInt8(truncatingIfNeeded: word),
            flags: flags,
            streamID: stream & 0x7fff_ffff
        )
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(length) << 8 | UInt32(type))
        buffer.writeInteger(flags)
        buffer.writeInteger(streamID)
    }
}

/// Frame types (RFC 9113, 6).
enum HTTP2FrameType {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let resetStream: UInt8 = 3
    static let settings: UInt8 = 4
    static let pushPromise: UInt8 = 5
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
}

/// Frame flags (RFC 9113, 6).
enum HTTP2FrameFlag {
    static let acknowledgement: UInt8 = 0x1
    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20
}

/// Settings (RFC 9113, 6.5.2).
enum HTTP2SettingName {
    static let headerTableSize: UInt16 = 1
    static let enablePush: UInt16 = 2
    static let maxConcurrentStreams: UInt16 = 3
    static let initialWindowSize: UInt16 = 4
    static let maxFrameSize: UInt16 = 5
}

/// Error codes (RFC 9113, 7).
enum HTTP2Code {
    static let noError: UInt32 = 0
    static let protocolError: UInt32 = 1
    static let refusedStream: UInt32 = 7
    static let cancel: UInt32 = 8
}

/// The peer violated the HTTP/2 protocol; the connection must close.
struct HTTP2ProtocolError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

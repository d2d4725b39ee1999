import NIOCore
import NIOHPACK

/// The client side of one HTTP/2 connection (RFC 9113) as a state machine: bytes and requests go
/// in, bytes and events come out. It does no input or output and knows no time.
///
/// `Tag` names a request for the owner; the engine gives it back with the request's ending.
struct HTTP2ClientEngine<Tag> {
    enum Event {
        case response(Tag, PushHTTPResponse)
        /// The peer says that it has not looked at the request.
        case notProcessed(Tag, reason: String)
        /// The stream ended without an answer.
        case lost(Tag, reason: String)
        /// The peer's settings arrived; limits may have changed.
        case settings
        /// The peer opens no more streams; the debug data as text.
        case goAway(code: UInt32, text: String)
        case pong
    }

    struct Stream {
        var tag: Tag
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        /// What flow control holds back, and from where.
        var unsentBody: [UInt8] = []
        var unsentStart = 0
        var sendWindow: Int
        var bodyBytes: Int
    }

    static var connectionWindow: Int { 16 * 1024 * 1024 }
    static var longestResponse: Int { 64 * 1024 }
    static var largestFrame: Int { 16_384 }

    /// The largest number of streams the peer allows now; nil until its settings are known.
    private(set) var peerStreamLimit: Int?
    /// Whether new streams may be opened at all.
    private(set) var isDraining = false
    private(set) var streams: [UInt32: Stream] = [:]
    private(set) var bytesInFlight = 0

    private var encoder: HPACKRequestEncoder
    private var decoder: HPACKDecoder
    private var nextStreamID: UInt32 = 1
    private var sendWindow = 65_535
    private var initialStreamWindow = 65_535
    private var peerFrameSize = 16_384
    private var unreportedBytes = 0
    private var blocked: [UInt32] = []
    private var unparsed = ByteBuffer()
    private var headerBlock: (streamID: UInt32, endsStream: Bool, bytes: ByteBuffer)?

    init(authority: String, isSecure: Bool) {
        encoder = HPACKRequestEncoder(authority: authority, isSecure: isSecure)
        decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    }

    /// Whether one more request of any size may be submitted.
    var canOpenStream: Bool {
        guard let peerStreamLimit, !isDraining else { return false }
        return streams.count < peerStreamLimit && sendWindow > 0
            && nextStreamID < 0x7fff_0000
    }

    var isIdle: Bool { streams.isEmpty }

    /// Writes the preface and our settings.
    mutating func start(into out: inout ByteBuffer) {
        out.writeString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        let settings: [(UInt16, UInt32)] = [(HTTP2SettingName.enablePush, 0)]
        HTTP2FrameHeader(
            length: settings.count * 6,
            type: HTTP2FrameType.settings,
            flags: 0,
            streamID: 0
        ).write(into: &out)
        for (name, value) in settings {
            out.writeInteger(name)
            out.writeInteger(value)
        }
        writeWindowUpdate(increment: Self.connectionWindow - 65_535, into: &out)
    }

    /// Opens a stream; the owner has asked `canOpenStream` and `HPACKRequestEncoder.fits`.
    mutating func submit(_ request: PushHTTPRequest, tag: Tag, into out: inout ByteBuffer) {
        let streamID = nextStreamID
        nextStreamID += 2
        let hasBody = !request.body.isEmpty
        let start = out.writerIndex
        out.moveWriterIndexWhenReserved(by: HTTP2FrameHeader.size)
        encoder.write(request, into: &out)
        let end = out.writerIndex
        out.moveWriterIndex(to: start)
        HTTP2FrameHeader(
            length: end - start - HTTP2FrameHeader.size,
            type: HTTP2FrameType.headers,
            flags: HTTP2FrameFlag.endHeaders | (hasBody ? 0 : HTTP2FrameFlag.endStream),
            streamID: streamID
        ).write(into: &out)
        out.moveWriterIndex(to: end)

        var stream = Stream(
            tag: tag,
            sendWindow: initialStreamWindow,
            bodyBytes: request.body.count
        )
        bytesInFlight += request.body.count
        if hasBody {
            let count = request.body.count
            if count <= sendWindow, count <= stream.sendWindow, count <= peerFrameSize {
                writeDataHeader(length: count, endsStream: true, streamID: streamID, into: &out)
                out.writeBytes(request.body)
                sendWindow -= count
                stream.sendWindow -= count
            } else {
                stream.unsentBody = request.body
                writeUnsent(of: &stream, streamID: streamID, into: &out)
                if !stream.unsentBody.isEmpty { blocked.append(streamID) }
            }
        }
        streams[streamID] = stream
    }

    /// Gives a stream up; its tag gets no event.
    mutating func cancel(_ streamID: UInt32, into out: inout ByteBuffer) {
        guard forget(streamID) != nil else { return }
        writeReset(streamID, code: HTTP2Code.cancel, into: &out)
    }

    /// Asks the peer for a sign of life, answered by `pong`.
    mutating func ping(into out: inout ByteBuffer) {
        writePing(data: 0x6e6f_726f_7368_6921, flags: 0, into: &out)
    }

    /// Opens no more streams, as after a `GOAWAY`.
    mutating func drain() {
        isDraining = true
    }

    /// Writes our own farewell.
    mutating func goAway(code: UInt32, into out: inout ByteBuffer) {
        isDraining = true
        HTTP2FrameHeader(length: 8, type: HTTP2FrameType.goAway, flags: 0, streamID: 0)
            .write(into: &out)
        out.writeInteger(UInt32(0))
        out.writeInteger(code)
    }

    /// Takes the tags of all open streams, when the connection is gone.
    mutating func takeAll() -> [Tag] {
        let tags = streams.sorted { $0.key < $1.key }.map(\.value.tag)
        streams = [:]
        blocked = []
        bytesInFlight = 0
        isDraining = true
        return tags
    }

    /// Reads what the peer sent.
    mutating func receive(
        _ bytes: ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        var input = bytes
        if unparsed.readableBytes > 0 {
            unparsed.writeBuffer(&input)
            swap(&input, &unparsed)
            unparsed.clear()
        }
        while let header = HTTP2FrameHeader.peek(input) {
            guard header.length <= Self.largestFrame else {
                throw HTTP2ProtocolError("the peer sent a frame of \(header.length) bytes")
            }
            guard input.readableBytes >= HTTP2FrameHeader.size + header.length else { break }
            input.moveReaderIndex(forwardBy: HTTP2FrameHeader.size)
            guard let payload = input.readSlice(length: header.length) else { break }
            try handle(header, payload: payload, into: &out, events: &events)
        }
        if input.readableBytes > 0 {
            unparsed.clear()
            unparsed.writeBuffer(&input)
        }
    }
}

// MARK: - Frames from the peer

extension HTTP2ClientEngine {
    private mutating func handle(
        _ header: HTTP2FrameHeader,
        payload: ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        if headerBlock != nil, header.type != HTTP2FrameType.continuation {
            throw HTTP2ProtocolError("a frame came between the parts of a header block")
        }
        var payload = payload
        switch header.type {
        case HTTP2FrameType.data:
            try handleData(header, payload: &payload, into: &out, events: &events)
        case HTTP2FrameType.headers:
            try removePadding(header, from: &payload)
            if header.flags & HTTP2FrameFlag.priority != 0 {
                guard payload.readableBytes >= 5 else {
                    throw HTTP2ProtocolError("a HEADERS frame is too short")
                }
                payload.moveReaderIndex(forwardBy: 5)
            }
            let endsStream = header.flags & HTTP2FrameFlag.endStream != 0
            if header.flags & HTTP2FrameFlag.endHeaders != 0 {
                try handleHeaders(
                    header.streamID,
                    endsStream: endsStream,
                    block: payload,
                    into: &out,
                    events: &events
                )
            } else {
                headerBlock = (header.streamID, endsStream, payload)
            }
        case HTTP2FrameType.continuation:
            try handleContinuation(header, payload: &payload, into: &out, events: &events)
        case HTTP2FrameType.resetStream:
            try handleReset(header, payload: &payload, events: &events)
        case HTTP2FrameType.settings:
            try handleSettings(header, payload: &payload, into: &out, events: &events)
        case HTTP2FrameType.ping:
            guard let data = payload.readInteger(as: UInt64.self) else {
                throw HTTP2ProtocolError("a PING frame is too short")
            }
            if header.flags & HTTP2FrameFlag.acknowledgement != 0 {
                events.append(.pong)
            } else {
                writePing(data: data, flags: HTTP2FrameFlag.acknowledgement, into: &out)
            }
        case HTTP2FrameType.goAway:
            try handleGoAway(payload: &payload, events: &events)
        case HTTP2FrameType.windowUpdate:
            guard let increment = payload.readInteger(as: UInt32.self) else {
                throw HTTP2ProtocolError("a WINDOW_UPDATE frame is too short")
            }
            handleWindowUpdate(header.streamID, increment: Int(increment), into: &out)
        case HTTP2FrameType.pushPromise:
            throw HTTP2ProtocolError("the peer pushed a stream that was switched off")
        default:
            break
        }
    }

    private func removePadding(
        _ header: HTTP2FrameHeader,
        from payload: inout ByteBuffer
    ) throws {
        guard header.flags & HTTP2FrameFlag.padded != 0 else { return }
        guard let padding = payload.readInteger(as: UInt8.self),
            let content = payload.readSlice(length: payload.readableBytes - Int(padding))
        else {
            throw HTTP2ProtocolError("a frame's padding is longer than the frame")
        }
        payload = content
    }

    private mutating func handleData(
        _ header: HTTP2FrameHeader,
        payload: inout ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        unreportedBytes += header.length
        if unreportedBytes >= Self.connectionWindow / 2 {
            writeWindowUpdate(increment: unreportedBytes, into: &out)
            unreportedBytes = 0
        }
        try removePadding(header, from: &payload)
        guard let body = streams[header.streamID]?.body else { return }
        guard body.count + payload.readableBytes <= Self.longestResponse else {
            if let stream = forget(header.streamID) {
                writeReset(header.streamID, code: HTTP2Code.cancel, into: &out)
                events.append(
                    .lost(stream.tag, reason: "the answer is longer than \(Self.longestResponse) B")
                )
            }
            return
        }
        streams[header.streamID]?.body.append(contentsOf: payload.readableBytesView)
        if header.flags & HTTP2FrameFlag.endStream != 0 {
            finish(header.streamID, into: &out, events: &events)
        }
    }

    private mutating func handleContinuation(
        _ header: HTTP2FrameHeader,
        payload: inout ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        guard var block = headerBlock, block.streamID == header.streamID else {
            throw HTTP2ProtocolError("a CONTINUATION frame without a beginning")
        }
        block.bytes.writeBuffer(&payload)
        guard block.bytes.readableBytes <= Self.longestResponse else {
            throw HTTP2ProtocolError("the peer's headers are too long")
        }
        guard header.flags & HTTP2FrameFlag.endHeaders != 0 else {
            headerBlock = block
            return
        }
        headerBlock = nil
        try handleHeaders(
            block.streamID,
            endsStream: block.endsStream,
            block: block.bytes,
            into: &out,
            events: &events
        )
    }

    private mutating func handleHeaders(
        _ streamID: UInt32,
        endsStream: Bool,
        block: ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        var block = block
        // Decoded even for a stream that was given up: the table must follow the peer's.
        let decoded = try decoder.decodeHeaders(from: &block)
        guard let known = streams[streamID] else { return }
        if known.status == 0 {
            var status = 0
            var headers: [(name: String, value: String)] = []
            for (name, value, _) in decoded {
                if name == ":status" {
                    status = Int(value) ?? 0
                } else {
                    headers.append((name, value))
                }
            }
            // 1xx are announcements; the answer follows.
            guard status >= 200 else { return }
            streams[streamID]?.status = status
            streams[streamID]?.headers = headers
        }
        if endsStream {
            finish(streamID, into: &out, events: &events)
        }
    }

    private mutating func finish(
        _ streamID: UInt32,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) {
        guard let stream = forget(streamID) else { return }
        if !stream.unsentBody.isEmpty {
            writeReset(streamID, code: HTTP2Code.noError, into: &out)
        }
        guard stream.status > 0 else {
            events.append(.lost(stream.tag, reason: "the answer has no status"))
            return
        }
        let response = PushHTTPResponse(
            status: stream.status,
            headers: stream.headers,
            body: stream.body
        )
        events.append(.response(stream.tag, response))
    }

    private mutating func handleReset(
        _ header: HTTP2FrameHeader,
        payload: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        guard let code = payload.readInteger(as: UInt32.self) else {
            throw HTTP2ProtocolError("an RST_STREAM frame is too short")
        }
        guard let stream = forget(header.streamID) else { return }
        if code == HTTP2Code.refusedStream {
            events.append(.notProcessed(stream.tag, reason: "the server refused the stream"))
        } else {
            events.append(.lost(stream.tag, reason: "the server reset the stream (code \(code))"))
        }
    }

    private mutating func handleSettings(
        _ header: HTTP2FrameHeader,
        payload: inout ByteBuffer,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) throws {
        guard header.flags & HTTP2FrameFlag.acknowledgement == 0 else { return }
        if peerStreamLimit == nil { peerStreamLimit = Int(UInt32.max) }
        while let name = payload.readInteger(as: UInt16.self),
            let value = payload.readInteger(as: UInt32.self)
        {
            switch name {
            case HTTP2SettingName.headerTableSize: encoder.limitTable(to: Int(value))
            case HTTP2SettingName.maxConcurrentStreams: peerStreamLimit = Int(value)
            case HTTP2SettingName.maxFrameSize: peerFrameSize = Int(value)
            case HTTP2SettingName.initialWindowSize:
                guard value <= 0x7fff_ffff else {
                    throw HTTP2ProtocolError("the peer's initial window is too large")
                }
                let change = Int(value) - initialStreamWindow
                initialStreamWindow = Int(value)
                for streamID in streams.keys { streams[streamID]?.sendWindow += change }
            default: break
            }
        }
        HTTP2FrameHeader(
            length: 0,
            type: HTTP2FrameType.settings,
            flags: HTTP2FrameFlag.acknowledgement,
            streamID: 0
        ).write(into: &out)
        writeBlocked(into: &out)
        events.append(.settings)
    }

    private mutating func handleGoAway(payload: inout ByteBuffer, events: inout [Event]) throws {
        guard let last = payload.readInteger(as: UInt32.self),
            let code = payload.readInteger(as: UInt32.self)
        else {
            throw HTTP2ProtocolError("a GOAWAY frame is too short")
        }
        let text = String(buffer: payload)
        isDraining = true
        let reason = text.isEmpty ? "the server is going away (code \(code))" : text
        for streamID in streams.keys.filter({ $0 > last & 0x7fff_ffff }).sorted() {
            guard let stream = forget(streamID) else { continue }
            events.append(.notProcessed(stream.tag, reason: reason))
        }
        events.append(.goAway(code: code, text: text))
    }

    private mutating func handleWindowUpdate(
        _ streamID: UInt32,
        increment: Int,
        into out: inout ByteBuffer
    ) {
        if streamID == 0 {
            sendWindow += increment
        } else {
            streams[streamID]?.sendWindow += increment
        }
        writeBlocked(into: &out)
    }

    private mutating func forget(_ streamID: UInt32) -> Stream? {
        guard let stream = streams.removeValue(forKey: streamID) else { return nil }
        bytesInFlight -= stream.bodyBytes
        if !stream.unsentBody.isEmpty { blocked.removeAll { $0 == streamID } }
        return stream
    }
}

// MARK: - Frames to the peer

extension HTTP2ClientEngine {
    /// Sends what flow control held back, oldest stream first.
    private mutating func writeBlocked(into out: inout ByteBuffer) {
        guard !blocked.isEmpty else { return }
        var stillBlocked: [UInt32] = []
        for streamID in blocked {
            guard var stream = streams[streamID] else { continue }
            writeUnsent(of: &stream, streamID: streamID, into: &out)
            if !stream.unsentBody.isEmpty { stillBlocked.append(streamID) }
            streams[streamID] = stream
        }
        blocked = stillBlocked
    }

    private mutating func writeUnsent(
        of stream: inout Stream,
        streamID: UInt32,
        into out: inout ByteBuffer
    ) {
        while stream.unsentStart < stream.unsentBody.count {
            let rest = stream.unsentBody.count - stream.unsentStart
            let count = min(rest, sendWindow, stream.sendWindow, peerFrameSize)
            guard count > 0 else { return }
            let end = stream.unsentStart + count
            writeDataHeader(
                length: count,
                endsStream: end == stream.unsentBody.count,
                streamID: streamID,
                into: &out
            )
            out.writeBytes(stream.unsentBody[stream.unsentStart..<end])
            stream.unsentStart = end
            sendWindow -= count
            stream.sendWindow -= count
        }
        stream.unsentBody = []
        stream.unsentStart = 0
    }

    private func writeDataHeader(
        length: Int,
        endsStream: Bool,
        streamID: UInt32,
        into out: inout ByteBuffer
    ) {
        HTTP2FrameHeader(
            length: length,
            type: HTTP2FrameType.data,
            flags: endsStream ? HTTP2FrameFlag.endStream : 0,
            streamID: streamID
        ).write(into: &out)
    }

    private func writeReset(_ streamID: UInt32, code: UInt32, into out: inout ByteBuffer) {
        HTTP2FrameHeader(
            length: 4,
            type: HTTP2FrameType.resetStream,
            flags: 0,
            streamID: streamID
        ).write(into: &out)
        out.writeInteger(code)
    }

    private func writeWindowUpdate(increment: Int, into out: inout ByteBuffer) {
        HTTP2FrameHeader(length: 4, type: HTTP2FrameType.windowUpdate, flags: 0, streamID: 0)
            .write(into: &out)
        out.writeInteger(UInt32(increment))
    }

    private func writePing(data: UInt64, flags: UInt8, into out: inout ByteBuffer) {
        HTTP2FrameHeader(length: 8, type: HTTP2FrameType.ping, flags: flags, streamID: 0)
            .write(into: &out)
        out.writeInteger(data)
    }
}

extension ByteBuffer {
    /// Leaves room at the end for bytes that are set later.
    fileprivate mutating func moveWriterIndexWhenReserved(by count: Int) {
        reserveCapacity(minimumWritableBytes: count)
        moveWriterIndex(forwardBy: count)
    }
}

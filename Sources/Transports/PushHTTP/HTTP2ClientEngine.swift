import NIOCore
import NIOHPACK

/// The client side of one HTTP/2 connection (RFC 9113) as a state machine: bytes and requests go
/// in, bytes and events come out. It does no input or output and knows no time.
///
/// `Tag` names a request for the owner; the engine gives it back with the request's ending.
struct HTTP2ClientEngine<Tag> {
    enum Event {
        case response(Tag, PushHTTPResponse)
        /// The peer states that it has not processed the request.
        case notProcessed(Tag, reason: String)
        /// The stream ended without a response.
        case lost(Tag, reason: String)
        /// The peer's settings arrived; limits may have changed.
        case settings
        /// The peer accepts no more streams; `text` is its debug data.
        case goAway(code: UInt32, text: String)
        case pong
    }

    struct Stream {
        var tag: Tag
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        /// The part of the body that flow control blocks.
        var unsentBody: [UInt8] = []
        var unsentStart = 0
        var sendWindow: Int
        var bodyBytes: Int
        /// Memory used by the response so far, in bytes.
        var answerBytes = 0
    }

    static var connectionWindow: Int { 16 * 1024 * 1024 }
    static var maxResponseLength: Int { 64 * 1024 }
    /// Maximum memory of all unfinished responses on one connection, in bytes.
    static var maxResponseBytes: Int { 4 * 1024 * 1024 }
    /// Maximum number of bytes that a peer may send on a cancelled stream: the rest of its window.
    static var strayPerStream: Int { 65_535 }
    static var maxWindow: Int { 0x7fff_ffff }
    /// Maximum number of frames without a response in them; a peer that sends more only wastes our
    /// work. It also bounds our replies to a peer that sends pings and settings without reading.
    /// Reading itself never stops: a server that waits for that would stop reading as well.
    static var idleFrameLimit: Int { 10_000 }
    /// Number of such frames that a response pays for: a peer may widen windows with each.
    static var idleFramesPerAnswer: Int { 16 }
    static var maxFrameSize: Int { 16_384 }

    /// The largest number of streams the peer allows now; nil until its settings are known.
    var peerStreamLimit: Int?
    /// Whether no more streams may be opened.
    var isDraining = false
    var streams: [UInt32: Stream] = [:]
    var bytesInFlight = 0
    /// The current count of frames without a response in them, reduced by each response.
    var idleFrames = 0
    /// Memory used by unfinished responses, in bytes.
    var answerBytes = 0
    /// Number of bytes that may still arrive on cancelled streams.
    var strayAllowance = 0

    var encoder: HPACKRequestEncoder
    var decoder: HPACKDecoder
    var nextStreamID: UInt32 = 1
    var sendWindow = 65_535
    var initialStreamWindow = 65_535
    var peerFrameSize = 16_384
    var unreportedBytes = 0
    var blocked: [UInt32] = []
    var unparsed = ByteBuffer()
    var headerBlock: (streamID: UInt32, endsStream: Bool, bytes: ByteBuffer)?

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

    /// Opens a stream. Precondition: `canOpenStream` and `HPACKRequestEncoder.fits` are true.
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

    /// Cancels a stream; its tag gets no event.
    mutating func cancel(_ streamID: UInt32, into out: inout ByteBuffer) {
        guard forget(streamID) != nil else { return }
        strayAllowance += Self.strayPerStream
        writeReset(streamID, code: HTTP2Code.cancel, into: &out)
    }

    /// Resets the count of frames without a response. The owner calls this from time to time,
    /// because an idle connection may be pinged for days.
    mutating func forgiveIdleFrames() {
        idleFrames = 0
    }

    /// Sends a ping, which the peer answers with `pong`.
    mutating func ping(into out: inout ByteBuffer) {
        writePing(data: 0x6e6f_726f_7368_6921, flags: 0, into: &out)
    }

    /// Stops opening streams, as after a `GOAWAY`.
    mutating func drain() {
        isDraining = true
    }

    /// Writes our own `GOAWAY`.
    mutating func goAway(code: UInt32, into out: inout ByteBuffer) {
        isDraining = true
        HTTP2FrameHeader(length: 8, type: HTTP2FrameType.goAway, flags: 0, streamID: 0)
            .write(into: &out)
        out.writeInteger(UInt32(0))
        out.writeInteger(code)
    }

    /// Takes the tags of all open streams, after the connection has closed.
    mutating func takeAll() -> [Tag] {
        let tags = streams.sorted { $0.key < $1.key }.map(\.value.tag)
        streams = [:]
        blocked = []
        bytesInFlight = 0
        answerBytes = 0
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
            guard header.length <= Self.maxFrameSize else {
                throw HTTP2ProtocolError("the peer sent a frame of \(header.length) bytes")
            }
            guard input.readableBytes >= HTTP2FrameHeader.size + header.length else { break }
            input.moveReaderIndex(forwardBy: HTTP2FrameHeader.size)
            guard let payload = input.readSlice(length: header.length) else { break }
            idleFrames += 1
            try handle(header, payload: payload, into: &out, events: &events)
            guard idleFrames <= Self.idleFrameLimit else {
                throw HTTP2ProtocolError("the peer sends frames that answer nothing")
            }
        }
        if input.readableBytes > 0 {
            unparsed.clear()
            unparsed.writeBuffer(&input)
        }
    }
}

extension ByteBuffer {
    /// Leaves room at the end for bytes that are set later.
    fileprivate mutating func moveWriterIndexWhenReserved(by count: Int) {
        reserveCapacity(minimumWritableBytes: count)
        moveWriterIndex(forwardBy: count)
    }
}

import NIOCore
import NIOHPACK

/// Frames from the peer.
extension HTTP2ClientEngine {
    mutating func handle(
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
            guard header.length == 8, let data = payload.readInteger(as: UInt64.self) else {
                throw HTTP2ProtocolError("a PING frame has not eight bytes")
            }
            if header.flags & HTTP2FrameFlag.acknowledgement != 0 {
                events.append(.pong)
            } else {
                writePing(data: data, flags: HTTP2FrameFlag.acknowledgement, into: &out)
            }
        case HTTP2FrameType.goAway:
            try handleGoAway(payload: &payload, events: &events)
        case HTTP2FrameType.windowUpdate:
            guard header.length == 4, let increment = payload.readInteger(as: UInt32.self) else {
                throw HTTP2ProtocolError("a WINDOW_UPDATE frame has not four bytes")
            }
            try handleWindowUpdate(
                header.streamID,
                increment: Int(increment & 0x7fff_ffff),
                into: &out
            )
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
        guard let known = streams[header.streamID] else {
            try checkStray(header)
            return
        }
        let count = payload.readableBytes
        if count > 0 { idleFrames -= 1 }
        guard known.body.count + count <= Self.maxResponseLength else {
            let reason = "the answer is longer than \(Self.maxResponseLength) B"
            giveUp(header.streamID, reason, into: &out, events: &events)
            return
        }
        guard answerBytes + count <= Self.maxResponseBytes else {
            let reason = "the answers together are longer than \(Self.maxResponseBytes) B"
            giveUp(header.streamID, reason, into: &out, events: &events)
            return
        }
        answerBytes += count
        streams[header.streamID]?.answerBytes += count
        streams[header.streamID]?.body.append(contentsOf: payload.readableBytesView)
        if header.flags & HTTP2FrameFlag.endStream != 0 {
            finish(header.streamID, into: &out, events: &events)
        }
    }

    /// Ends a request with a response that cannot be accepted.
    private mutating func giveUp(
        _ streamID: UInt32,
        _ reason: String,
        into out: inout ByteBuffer,
        events: inout [Event]
    ) {
        guard let stream = forget(streamID) else { return }
        strayAllowance += Self.strayPerStream
        writeReset(streamID, code: HTTP2Code.cancel, into: &out)
        events.append(.lost(stream.tag, reason: reason))
    }

    /// Accounts for data on a stream that is not open: allowed up to what was in flight when we
    /// cancelled the stream.
    private mutating func checkStray(_ header: HTTP2FrameHeader) throws {
        try checkOpened(header.streamID)
        strayAllowance -= header.length
        guard strayAllowance >= 0 else {
            throw HTTP2ProtocolError("the peer sends data that nobody asked for")
        }
    }

    /// Throws if we have never opened the stream.
    private func checkOpened(_ streamID: UInt32) throws {
        guard streamID % 2 == 1, streamID < nextStreamID else {
            throw HTTP2ProtocolError("a frame came on a stream that was never opened")
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
        guard block.bytes.readableBytes <= Self.maxResponseLength else {
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
        // Decoded even for a cancelled stream: our table must stay in sync with the peer's.
        let decoded = try decoder.decodeHeaders(from: &block)
        guard let known = streams[streamID] else {
            try checkOpened(streamID)
            return
        }
        if known.status == 0 {
            var status = 0
            var headers: [(name: String, value: String)] = []
            var size = 0
            for (name, value, _) in decoded {
                size += name.utf8.count + value.utf8.count
                if name == ":status" {
                    status = Int(value) ?? 0
                } else {
                    headers.append((name, value))
                }
            }
            // 1xx responses are interim; the final one follows, unless the stream has ended.
            guard status >= 200 else {
                if endsStream { finish(streamID, into: &out, events: &events) }
                return
            }
            guard answerBytes + size <= Self.maxResponseBytes else {
                let reason = "the answers together are longer than \(Self.maxResponseBytes) B"
                giveUp(streamID, reason, into: &out, events: &events)
                return
            }
            answerBytes += size
            streams[streamID]?.answerBytes += size
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
        idleFrames = max(0, idleFrames - Self.idleFramesPerAnswer)
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
        guard header.length % 6 == 0 else {
            throw HTTP2ProtocolError("a SETTINGS frame has a setting that is cut off")
        }
        if peerStreamLimit == nil { peerStreamLimit = Int(UInt32.max) }
        while let name = payload.readInteger(as: UInt16.self),
            let value = payload.readInteger(as: UInt32.self)
        {
            switch name {
            case HTTP2SettingName.headerTableSize: encoder.limitTable(to: Int(value))
            case HTTP2SettingName.maxConcurrentStreams: peerStreamLimit = Int(value)
            case HTTP2SettingName.maxFrameSize:
                guard (16_384...16_777_215).contains(value) else {
                    throw HTTP2ProtocolError("the peer's largest frame is out of bounds")
                }
                peerFrameSize = Int(value)
            case HTTP2SettingName.initialWindowSize:
                guard value <= Self.maxWindow else {
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
        let text = PushHTTPResponse.line(String(buffer: payload), limit: 200)
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
    ) throws {
        if streamID == 0 {
            sendWindow += increment
        } else {
            streams[streamID]?.sendWindow += increment
        }
        let window = streamID == 0 ? sendWindow : streams[streamID]?.sendWindow ?? 0
        guard window <= Self.maxWindow else {
            throw HTTP2ProtocolError("the peer's window is too large")
        }
        writeBlocked(into: &out)
    }

    mutating func forget(_ streamID: UInt32) -> Stream? {
        guard let stream = streams.removeValue(forKey: streamID) else { return nil }
        bytesInFlight -= stream.bodyBytes
        answerBytes -= stream.answerBytes
        if !stream.unsentBody.isEmpty { blocked.removeAll { $0 == streamID } }
        return stream
    }
}

import NIOCore

/// Frames to the peer.
extension HTTP2ClientEngine {
    /// Sends the data that flow control has blocked, oldest stream first.
    mutating func writeBlocked(into out: inout ByteBuffer) {
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

    mutating func writeUnsent(
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

    func writeDataHeader(
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

    func writeReset(_ streamID: UInt32, code: UInt32, into out: inout ByteBuffer) {
        HTTP2FrameHeader(
            length: 4,
            type: HTTP2FrameType.resetStream,
            flags: 0,
            streamID: streamID
        ).write(into: &out)
        out.writeInteger(code)
    }

    func writeWindowUpdate(increment: Int, into out: inout ByteBuffer) {
        HTTP2FrameHeader(length: 4, type: HTTP2FrameType.windowUpdate, flags: 0, streamID: 0)
            .write(into: &out)
        out.writeInteger(UInt32(increment))
    }

    func writePing(data: UInt64, flags: UInt8, into out: inout ByteBuffer) {
        HTTP2FrameHeader(length: 8, type: HTTP2FrameType.ping, flags: flags, streamID: 0)
            .write(into: &out)
        out.writeInteger(data)
    }
}

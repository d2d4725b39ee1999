import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects requests and writes answers.
final class BucketHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ServerBox
    private var head: HTTPRequestHead?
    private var body = Data()

    init(server: ServerBox) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = Data()
        case .body(let part): body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head, let server = server.server.withLock(\.self) else { return }
            let (answer, fault) = server.answer(
                BucketRequest(
                    method: head.method.rawValue,
                    uri: head.uri,
                    headers: head.headers,
                    body: body
                )
            )
            write(answer, fault, context)
        }
    }

    private func write(
        _ answer: BucketAnswer?,
        _ fault: BucketServer.Fault?,
        _ context: ChannelHandlerContext
    ) {
        var cut: Int?
        switch fault {
        case .closes: return context.close(promise: nil)
        case .silence: return
        case .cuts(let bytes): cut = bytes
        case .answer, nil: break
        }
        guard let answer else { return }
        var headers = HTTPHeaders(answer.headers)
        if answer.status != 204 {
            headers.add(name: "Content-Length", value: String(answer.body.count))
        }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let sent = cut.map { answer.body.prefix($0) } ?? answer.body
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: sent)))), promise: nil)
        if cut != nil {
            context.flush()
            context.close(promise: nil)
        } else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

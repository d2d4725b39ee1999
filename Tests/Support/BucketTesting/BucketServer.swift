import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A store of objects with one bucket, on a port of its own. It speaks as much of S3's protocol as is
/// needed for backups, and takes nothing that is not signed as it calculates by itself.
package final class BucketServer: Sendable {
    package struct Settings: Sendable {
        package var bucket = "tea"
        package var region = "eu-test-1"
        package var keyID = "AKIDTEST"
        package var secret = "a secret/of+the tests"
        package var token: String?
        /// The store's clock; requests may differ from it by a quarter of an hour.
        package var now: @Sendable () -> Date
        /// How many entries a list has at most.
        package var page = 1000
        /// Every part but the last has at least so many bytes.
        package var leastPart = 5 << 20
        package var tls: TLSConfiguration?

        package init(now: @escaping @Sendable () -> Date) {
            self.now = now
        }
    }

    /// What happens to a request instead of what should.
    package enum Fault: Sendable {
        case answer(Int, String)
        /// The connection is closed; what was asked for is done before or is not.
        case closes(afterwards: Bool)
        /// So many bytes of the answer's body come, and then the end of the connection.
        case cuts(Int)
        /// There is never an answer.
        case silence
    }

    package let settings: Settings
    package let port: Int
    let bucket: Mutex<StoredBucket>
    private let fault = Mutex<@Sendable (BucketRequest) -> Fault?>({ _ in nil })
    private let log = Mutex<[BucketRequest]>([])
    private let channel: any Channel

    package static func start(_ settings: Settings) async throws -> BucketServer {
        let box = ServerBox()
        let tls = try settings.tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: tls)
                        )
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(BucketHandler(server: box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = BucketServer(settings, channel)
        box.server.withLock { $0 = server }
        return server
    }

    private init(_ settings: Settings, _ channel: any Channel) {
        self.settings = settings
        self.channel = channel
        port = channel.localAddress?.port ?? 0
        bucket = Mutex(StoredBucket(page: settings.page, leastPart: settings.leastPart))
    }

    package func stop() async { try? await channel.close() }

    package var url: String { "\(settings.tls == nil ? "http" : "https")://localhost:\(port)" }

    /// The objects by their keys.
    package var objects: [String: Data] { bucket.withLock { $0.objects.mapValues(\.data) } }

    /// The keys of uploads that are neither completed nor given up.
    package var openUploads: [String] { bucket.withLock { $0.uploads.values.map(\.key).sorted() } }

    /// What was asked, in its order.
    package var requests: [BucketRequest] { log.withLock(\.self) }

    package func set(_ data: Data?, at key: String) {
        bucket.withLock { $0.objects[key] = data.map(StoredBucket.Object.init) }
    }

    package func onRequest(_ fault: @escaping @Sendable (BucketRequest) -> Fault?) {
        self.fault.withLock { $0 = fault }
    }

    func answer(_ request: BucketRequest) -> (BucketAnswer?, Fault?) {
        log.withLock { $0.append(request) }
        let fault = self.fault.withLock(\.self)(request)
        switch fault {
        case .answer(let status, let code): return (.error(status, code), nil)
        case .closes(afterwards: false), .silence: return (nil, fault)
        case nil, .closes, .cuts: break
        }
        if let refusal = SignatureCheck(settings: settings).refusal(of: request) {
            return (refusal, nil)
        }
        guard let key = request.key(settings) else { return (.error(404, "NoSuchBucket"), nil) }
        return (bucket.withLock { $0.answer(request, key) }, fault)
    }
}

/// The server of a connection, which is made before it.
final class ServerBox: Sendable {
    let server = Mutex<BucketServer?>(nil)
}

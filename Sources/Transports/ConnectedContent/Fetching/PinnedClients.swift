import AsyncHTTPClient
import Model
import NIOCore
import NIOSSL
import Ports
import Reasons
import ServerNames
import Synchronization

/// HTTP clients that each connect to one address, whatever the name resolves to by then: the
/// address is the one that was checked. Certificates are verified for the name.
final class PinnedClients: Sendable {
    private struct Pin: Hashable {
        let host: String
        let address: IPAddress
    }

    private struct Entry {
        let client: HTTPClient
        var uses = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [Pin: Entry] = [:]
        var uses = 0
    }

    /// Maximum number of clients kept for their open connections.
    private static let limit = 64

    private let eventLoops: any EventLoopGroup
    private let settings: ConnectedContentSettings
    private let state = Mutex(State())

    init(eventLoops: any EventLoopGroup, settings: ConnectedContentSettings) {
        self.eventLoops = eventLoops
        self.settings = settings
    }

    /// Runs `work` with a client for one call.
    func withClient<Value: Sendable>(
        for host: String,
        at address: IPAddress,
        _ work: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let pin = Pin(host: host, address: address)
        let client = state.withLock { state in
            state.uses += 1
            var entry = state.entries[pin] ?? Entry(client: makeClient(pin))
            entry.uses += 1
            entry.lastUse = state.uses
            state.entries[pin] = entry
            return entry.client
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(client))
        } catch {
            result = .failure(error)
        }
        let spare = state.withLock { state -> HTTPClient? in
            state.entries[pin]?.uses -= 1
            guard state.entries.count > Self.limit else { return nil }
            let idle = state.entries.filter { $0.value.uses == 0 }
            guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                return nil
            }
            state.entries[oldest.key] = nil
            return oldest.value.client
        }
        // Failing to close an unused client loses nothing.
        if let spare { try? await spare.shutdown() }
        return try result.get()
    }

    func shutDown() async {
        let clients = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        // As above.
        for client in clients { try? await client.shutdown() }
    }

    /// Before the first request goes over a connection.
    private static func checkName(
        _ host: String,
        of channel: any Channel
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let operations = channel.pipeline.syncOperations
            // Without TLS there is no name to check, and an address was checked by SwiftNIO.
            guard let handler = try? operations.handler(type: NIOSSLHandler.self),
                IPAddress(host) == nil
            else { return }
            let isRight = try handler.peerCertificate.map {
                try ServerNames.include(host, in: $0)
            }
            guard isRight == true else {
                throw ContentFetchError.unavailable(.certificateName, ["host": .text(host)])
            }
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    private func makeClient(_ pin: Pin) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            settings.callsPerHost
        configuration.connectionPool.idleTimeout = .seconds(30)
        // The caller's timeout bounds the call, so the client must not retry failed connections by
        // itself.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = TimeAmount(settings.timeLimit)
        var security = TLSConfiguration.makeClientConfiguration()
        security.additionalTrustRoots = [.certificates(settings.authorities.certificates)]
        configuration.tlsConfiguration = security
        configuration.http1_1ConnectionDebugInitializer = { Self.checkName(pin.host, of: $0) }
        if pin.host != pin.address.description {
            configuration.dnsOverride = [pin.host: pin.address.description]
        }
        return HTTPClient(
            eventLoopGroupProvider: .shared(eventLoops),
            configuration: configuration
        )
    }
}

import Foundation
import Gateways
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PushHTTP
import Synchronization
import Testing

@Suite("A server is believed with a certificate for its name")
struct ServerNameTests {
    /// How a push ends at `localhost`, where a server has a certificate for other names, and whether
    /// the server was told anything.
    private func ending(of names: [String]) async throws -> (reason: String?, wasTold: Bool) {
        let authority = try SimulatorAuthority(now: Date())
        let identity = try authority.makeServerIdentity(hosts: names)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(
                Array(identity.certificatePEM.utf8)
            ).map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
            )
        )
        configuration.applicationProtocols = ["h2"]
        let wasTold = Mutex(false)
        let server = try await HostileServer.start(
            tls: NIOSSLContext(configuration: configuration)
        ) { _, channel in
            wasTold.withLock { $0 = true }
            channel.close(promise: nil)
        }
        var limits = PushHTTPLimits()
        limits.firstBackOff = .milliseconds(1)
        limits.maxBackoff = .milliseconds(5)
        let client = try PushHTTPClient(
            endpoint: PushHTTPEndpoint(
                host: "localhost",
                port: server.port,
                security: .tls(
                    trust: .authorities(pem: authority.certificatePEM),
                    identity: nil
                )
            ),
            limits: limits,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let result = await client.send(
            PushHTTPRequest(path: "/", sharedHeaders: SharedHeaders([("a", "b")]), body: [0x78]),
            deadline: .seconds(600)
        )
        await client.shutDown(grace: .zero)
        try await server.stop()
        var reason: String?
        if case .notSent(let found, _) = result { reason = found }
        return (reason, wasTold.withLock { $0 })
    }

    @Test("also where the certificate is for the address at which it answers")
    func address() async throws {
        let other = try await ending(of: ["push.example", "127.0.0.1", "::1"])
        #expect(other.reason?.contains("certificate is not for localhost") == true)
        #expect(!other.wasTold)
        #expect(try await ending(of: ["push.example", "localhost"]).wasTold)
    }
}

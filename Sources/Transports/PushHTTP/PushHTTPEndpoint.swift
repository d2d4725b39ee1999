import Model
import NIOSSL

/// The address that a client connects to, and how it authenticates the server.
package struct PushHTTPEndpoint: Sendable {
    package enum Security: Sendable {
        /// TLS 1.2 or later with ALPN `h2`, and a client certificate if the service requires one.
        case tls(trust: TrustRoots, identity: PushClientIdentity?)
        /// HTTP/2 in the clear with prior knowledge, for measurements on one machine.
        case cleartext
    }

    package var host: String
    package var port: Int
    package var security: Security
    /// Rejects addresses of this machine and of private networks, for hosts that clients name.
    package var onlyPublicAddresses = false

    package init(
        host: String,
        port: Int = 443,
        security: Security = .tls(trust: .system, identity: nil)
    ) {
        self.host = host
        self.port = port
        self.security = security
    }

    /// The value of `:authority`.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }

    var isSecure: Bool {
        if case .tls = security { true } else { false }
    }

    /// The TLS context, created once per client; `nil` for cleartext.
    func makeTLSContext() throws -> NIOSSLContext? {
        guard case .tls(let trust, let identity) = security else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        switch trust {
        case .system:
            configuration.trustRoots = .default
        case .authorities(let pem):
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
            configuration.trustRoots = .certificates(certificates)
        }
        if let identity {
            configuration.certificateChain = identity.certificates.map { .certificate($0) }
            configuration.privateKey = .privateKey(identity.privateKey)
        }
        return try NIOSSLContext(configuration: configuration)
    }

    /// The name for SNI and verification; an address is verified as an address instead.
    var serverName: String? {
        IPAddress(host) == nil ? host : nil
    }
}

/// An endpoint that cannot be connected to.
package enum PushHTTPEndpointError: Error, Hashable, CustomStringConvertible {
    case port(Int)
    /// The host's name leads into a network of its own.
    case notPublic(host: String)

    package var description: String {
        switch self {
        case .port(let port): "\(port) is no port; ports go from 1 to 65535"
        case .notPublic(let host): "\(host) has no public address"
        }
    }
}

/// The authorities that may vouch for a server.
package enum TrustRoots: Sendable, Hashable {
    /// The system's trust store.
    case system
    /// These certificates only, as PEM, for a simulator with its own authority.
    case authorities(pem: String)
}

import Model
import PushHTTP

/// The addresses of Apple's servers (or their simulator).
package struct APNsConfiguration: Sendable {
    package struct Server: Sendable, Hashable {
        package var host: String
        package var port: Int
        package var trust: TrustRoots

        package init(host: String, port: Int = 443, trust: TrustRoots = .system) {
            self.host = host
            self.port = port
            self.trust = trust
        }
    }

    package var servers: [APNsEnvironment: Server]
    package var limits: PushHTTPLimits
    /// How long looked-up credentials are used before the next lookup.
    package var credentialRefresh: Duration

    package init(
        servers: [APNsEnvironment: Server] = apple,
        limits: PushHTTPLimits = PushHTTPLimits(),
        credentialRefresh: Duration = .seconds(30)
    ) {
        self.servers = servers
        self.limits = limits
        self.limits.firstRequestAlone = true
        self.credentialRefresh = credentialRefresh
    }

    /// Apple's own servers.
    package static let apple: [APNsEnvironment: Server] = [
        .production: Server(host: "api.push.apple.com"),
        .sandbox: Server(host: "api.sandbox.push.apple.com"),
    ]

    /// Both environments on one server, such as a simulator.
    package static func single(_ server: Server) -> APNsConfiguration {
        APNsConfiguration(servers: [.production: server, .sandbox: server])
    }
}

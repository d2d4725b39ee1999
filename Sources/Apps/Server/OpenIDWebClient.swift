import Accounts
import ConnectedContent
import Logging
import NIOPosix

/// Asks OpenID Connect providers over the network, at addresses that the settings allow.
package struct OpenIDWebClient: Sendable {
    package let client: OpenIDProviderClient
    private let content: ConnectedContentClient

    package init(settings: Settings, dependencies: ServerDependencies = .live, logger: Logger) {
        var content = ConnectedContentSettings()
        content.authorities = settings.connectedContentAuthorities
        self.content = ConnectedContentClient(
            settings: content.forSignIn(settings.openIDAllowed),
            resolver: SystemNameResolver(threads: NIOThreadPool.singleton),
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            // Providers are asked with the secrets of their clients.
            credentials: { _, _ in nil },
            logger: logger,
            now: dependencies.now
        )
        client = OpenIDProviderClient(fetcher: self.content, now: dependencies.now)
    }

    package func shutDown() async { await content.shutDown() }
}

/// The limits of Connected Content.
package struct ConnectedContentSettings: Sendable {
    /// Timeout of one call, including resolving the address, connecting and reading the whole
    /// response. Waiting for a permit of the host comes before it.
    package var timeLimit: Duration = .seconds(2)
    /// Maximum size of one response, in bytes.
    package var bodyLimit = 1 << 20
    /// How long the response to a GET is cached if the call does not say, in seconds.
    package var cacheSeconds = 300
    /// Maximum size of all cached responses, in bytes.
    package var cacheBytes = 64 << 20
    /// Maximum number of concurrent calls to one host.
    package var callsPerHost = 64
    /// Maximum number of calls that wait for a permit of one host; further ones fail at once. `nil`
    /// where the caller has a limit of its own.
    package var waitingPerHost: Int?
    /// How long the addresses of a name are cached, in seconds.
    package var addressSeconds = 30
    /// Addresses that may be called although they are not public.
    package var allowed = AllowList()
    /// The name of the setting for them, which refusals mention.
    package var allowSetting = "connected-content-allow"
    package var authorities = ContentAuthorities()

    package init() {}

    /// For asking the providers with which members sign in: seldom, each time anew, and by people who
    /// wait for it.
    ///
    /// - Parameter allowed: Their addresses, where they are not public.
    package func forSignIn(_ allowed: AllowList) -> ConnectedContentSettings {
        var settings = self
        settings.timeLimit = .seconds(10)
        settings.bodyLimit = 256 << 10
        settings.cacheBytes = 0
        settings.callsPerHost = 16
        settings.waitingPerHost = 256
        settings.allowed = allowed
        settings.allowSetting = "openid-allow"
        return settings
    }

    /// For messages that devices ask for, of which strangers decide how many there are.
    package var forDevices: ConnectedContentSettings {
        var settings = self
        settings.cacheBytes = 16 << 20
        settings.callsPerHost = 16
        settings.waitingPerHost = 256
        return settings
    }
}

/// The limits of Connected Content.
package struct ConnectedContentSettings: Sendable {
    /// For one call in all: finding the address, connecting and reading the whole answer. The
    /// wait for a free place at the host comes before it.
    package var timeLimit: Duration = .seconds(2)
    /// Bytes of one answer.
    package var bodyLimit = 1 << 20
    /// How long the answer to a GET is used again when the call does not say.
    package var cacheSeconds = 300
    /// Bytes of all answers that are kept.
    package var cacheBytes = 64 << 20
    /// Calls to one host at the same time.
    package var callsPerHost = 64
    /// How long the addresses of a name are used again.
    package var addressSeconds = 30
    /// What may be called although it is not on the public network.
    package var allowed = AllowList()

    package init() {}
}

/// The prefix of links to this server: the configured address, or otherwise that of the request.
package struct LinkOrigin: Sendable {
    private let publicAddress: PublicAddress?
    private let usesHTTPS: Bool

    package init(publicAddress: PublicAddress? = nil, usesHTTPS: Bool = false) {
        self.publicAddress = publicAddress
        self.usesHTTPS = usesHTTPS
    }

    /// - Parameters:
    ///   - host: The host at which the client reached this server, according to the request.
    ///   - forwardedScheme: The scheme, according to a proxy.
    /// - Returns: `nil` if no address is configured and the request names no host.
    package func address(host: String?, forwardedScheme: String?) -> PublicAddress? {
        if let publicAddress { return publicAddress }
        let scheme = forwardedScheme ?? (usesHTTPS ? "https" : "http")
        return PublicAddress(scheme: scheme, host: host ?? "localhost")
    }
}

/// What links to this server begin with: the address that the operator has set, or else the one a
/// request came to.
package struct LinkOrigin: Sendable {
    private let publicAddress: PublicAddress?
    private let usesHTTPS: Bool

    package init(publicAddress: PublicAddress? = nil, usesHTTPS: Bool = false) {
        self.publicAddress = publicAddress
        self.usesHTTPS = usesHTTPS
    }

    /// - Parameters:
    ///   - host: Where a client reached this server, as it says.
    ///   - forwardedScheme: The scheme it used, as a proxy says.
    /// - Returns: `nil` when nothing is set and the request names no place.
    package func address(host: String?, forwardedScheme: String?) -> PublicAddress? {
        if let publicAddress { return publicAddress }
        let scheme = forwardedScheme ?? (usesHTTPS ? "https" : "http")
        return PublicAddress(scheme: scheme, host: host ?? "localhost")
    }
}

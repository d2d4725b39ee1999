import HTTPTypes

/// What links to this server begin with: the address that the operator has set, or else the one a
/// request came to.
struct LinkOrigin: Sendable {
    let publicAddress: PublicAddress?
    let usesHTTPS: Bool

    /// - Throws: `APIProblem` when nothing is set and the request names no place.
    func address(for call: RESTEndpoint.Call) throws(APIProblem) -> String {
        if let publicAddress { return publicAddress.description }
        let scheme = call.header("X-Forwarded-Proto") ?? (usesHTTPS ? "https" : "http")
        guard let address = PublicAddress(scheme: scheme, host: call.host ?? "localhost") else {
            throw APIProblem(
                .badRequest,
                "the headers Host and X-Forwarded-Proto name no place that a link could lead to; "
                    + "send those of this server, or set its public-url"
            )
        }
        return address.description
    }
}

import Front
import HTTPTypes

extension LinkOrigin {
    /// - Throws: `APIError` if no address is configured and the request names no host.
    func address(for call: RESTEndpoint.Call) throws(APIError) -> String {
        let scheme = call.header("X-Forwarded-Proto")
        guard let address = address(host: call.host, forwardedScheme: scheme) else {
            throw APIError(
                .badRequest,
                "the headers Host and X-Forwarded-Proto name no place that a link could lead to; "
                    + "send those of this server, or set its public-url"
            )
        }
        return address.description
    }
}

import Foundation
import Model
import Reasons

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as a sign-in
/// needs it.
package struct OpenIDMetadata: Sendable, Hashable {
    /// How a client shows its secret (OpenID Connect Core 1.0, section 9).
    package enum ClientAuthentication: String, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    package var issuer: String
    package var authorizationEndpoint: String
    package var tokenEndpoint: String
    package var keysAddress: String
    package var userInfoEndpoint: String?
    package var clientAuthentication: ClientAuthentication
    /// Whether answers name the issuer (RFC 9207).
    package var namesIssuer: Bool

    private struct Document: Decodable {
        var issuer: String?
        var authorization_endpoint: String?
        var token_endpoint: String?
        var jwks_uri: String?
        var userinfo_endpoint: String?
        var response_types_supported: [String]?
        var id_token_signing_alg_values_supported: [String]?
        var token_endpoint_auth_methods_supported: [String]?
        var code_challenge_methods_supported: [String]?
        var authorization_response_iss_parameter_supported: Bool?
    }

    /// Where the document of an issuer is (section 4 there).
    package static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
            + "/.well-known/openid-configuration"
    }

    /// Reads and checks a document.
    ///
    /// - Throws: `OpenIDError` with the first thing that prevents a sign-in.
    package init(_ bytes: [UInt8], of issuer: String) throws(OpenIDError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        } catch {
            throw OpenIDError(.notJSON, ["address": .text(Self.address(of: issuer))])
        }
        func required(_ value: String?, _ name: String) throws(OpenIDError) -> String {
            guard let value, !value.isEmpty else {
                throw OpenIDError(.missing, ["name": .text(name)])
            }
            return value
        }
        func endpoint(_ value: String?, _ name: String) throws(OpenIDError) -> String {
            let address = try required(value, name)
            guard OpenIDAddress.isSafe(address) else {
                throw OpenIDError(.insecure, ["address": .text(address)])
            }
            return address
        }
        self.issuer = try required(document.issuer, "issuer")
        guard self.issuer == issuer else {
            throw OpenIDError(
                .issuer,
                ["issuer": .text(self.issuer), "expected": .text(issuer)]
            )
        }
        authorizationEndpoint = try endpoint(
            document.authorization_endpoint,
            "authorization_endpoint"
        )
        tokenEndpoint = try endpoint(document.token_endpoint, "token_endpoint")
        keysAddress = try endpoint(document.jwks_uri, "jwks_uri")
        userInfoEndpoint =
            if let address = document.userinfo_endpoint {
                try endpoint(address, "userinfo_endpoint")
            } else { nil }
        // Lists that are absent have the defaults of the standard, or say nothing.
        guard document.response_types_supported?.contains("code") ?? true else {
            throw OpenIDError(.noCodeFlow)
        }
        let algorithms = document.id_token_signing_alg_values_supported ?? ["RS256"]
        guard algorithms.contains(where: { OpenIDAlgorithm(rawValue: $0) != nil }) else {
            throw OpenIDError(.noAlgorithm)
        }
        guard document.code_challenge_methods_supported?.contains("S256") ?? true else {
            throw OpenIDError(.noPKCE)
        }
        let methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
        guard let method = methods.compactMap(ClientAuthentication.init).first else {
            throw OpenIDError(.clientAuthentication)
        }
        // What the standard recommends goes before what a provider happens to list first.
        let isBasic = methods.contains(ClientAuthentication.basic.rawValue)
        clientAuthentication = isBasic ? .basic : method
        namesIssuer = document.authorization_response_iss_parameter_supported ?? false
    }
}

/// The algorithms of signatures that are taken (RFC 7518, section 3.1).
package enum OpenIDAlgorithm: String, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
}

/// Rules for addresses of providers.
package enum OpenIDAddress {
    /// Whether nobody on the way can read or change what goes to the address: https, or this
    /// computer itself.
    package static func isSafe(_ text: String) -> Bool {
        guard text.utf8.count <= 2_000, let parts = URLComponents(string: text),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.fragment == nil
        else { return false }
        switch parts.scheme?.lowercased() {
        case "https": return true
        case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host.lowercased())
        default: return false
        }
    }

    /// Whether the text can be an issuer: as above, and without a query.
    package static func isIssuer(_ text: String) -> Bool {
        isSafe(text) && URLComponents(string: text)?.query == nil
    }
}

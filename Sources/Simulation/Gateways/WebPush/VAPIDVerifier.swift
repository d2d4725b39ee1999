import Crypto
import Foundation

/// The error of the header, as a code.
struct VAPIDError: Error {
    var reason: String
}

/// Judges the `Authorization` header of Web Push (RFC 8292).
enum VAPIDVerifier {
    private struct Header: Decodable {
        var alg: String
    }

    private struct Claims: Decodable {
        var aud: String
        var exp: Double
        var sub: String?
    }

    /// Checks the header; gives the audience that the token names.
    ///
    /// - Parameters:
    ///   - audiences: the origins that stand for the push service.
    ///   - key: the key that the browser subscribed with.
    static func audience(
        _ authorization: String,
        audiences: Set<String>,
        key: String?,
        now: Date
    ) throws(VAPIDError) -> String {
        guard let (token, publicKey) = parameters(authorization) else {
            throw VAPIDError(reason: "BadAuthorizationHeader")
        }
        if let key, Base64Text.decode(key) != Base64Text.decode(publicKey) {
            throw VAPIDError(reason: "VapidPkHashMismatch")
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64Text.decode(parts[0]).flatMap({
                try? JSONDecoder().decode(Header.self, from: $0)
            }), header.alg == "ES256",
            let claims = Base64Text.decode(parts[1]).flatMap({
                try? JSONDecoder().decode(Claims.self, from: $0)
            }),
            let keyBytes = Base64Text.decode(publicKey),
            let verifier = try? P256.Signing.PublicKey(x963Representation: keyBytes),
            let signatureBytes = Base64Text.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signatureBytes),
            verifier.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)),
            audiences.contains(claims.aud),
            claims.exp > now.timeIntervalSince1970,
            claims.exp <= now.timeIntervalSince1970 + 86_400 + 60,
            isContact(claims.sub)
        else { throw VAPIDError(reason: "BadJwtToken") }
        return claims.aud
    }

    /// Apple's service rejects a token without a plain contact, so this one does as well.
    private static func isContact(_ subject: String?) -> Bool {
        guard let subject, !subject.contains(where: { " <>".contains($0) }) else { return false }
        return subject.hasPrefix("mailto:") || subject.hasPrefix("https://")
    }

    /// The parts of `vapid t=…, k=…`.
    private static func parameters(_ header: String) -> (token: String, key: String)? {
        guard header.lowercased().hasPrefix("vapid ") else { return nil }
        var values: [String: String] = [:]
        for part in header.dropFirst(6).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let name = pair[0].trimmingCharacters(in: .whitespaces)
            values[name] = pair[1].trimmingCharacters(
                in: CharacterSet(charactersIn: " \"")
            )
        }
        guard let token = values["t"], let key = values["k"] else { return nil }
        return (token, key)
    }
}

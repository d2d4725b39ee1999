import Crypto
import Foundation

/// Hashes and keyed hashes, as hexadecimal or Base64 text.
enum DigestFilters {
    static let table: [String: Filter] = [
        "md5": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Hex.text(Insecure.MD5.hash(data: bytes(input, &renderer))))
        },
        "sha1": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Hex.text(Insecure.SHA1.hash(data: bytes(input, &renderer))))
        },
        "sha2": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Hex.text(SHA256.hash(data: bytes(input, &renderer))))
        },
        "sha256": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Hex.text(SHA256.hash(data: bytes(input, &renderer))))
        },
        "sha512": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Hex.text(SHA512.hash(data: bytes(input, &renderer))))
        },
        "hmac_sha1": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(Hex.text(code(Insecure.SHA1.self, input, arguments, &renderer)))
        },
        "hmac_sha1_hex": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(Hex.text(code(Insecure.SHA1.self, input, arguments, &renderer)))
        },
        "hmac_sha1_base64": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(base64(code(Insecure.SHA1.self, input, arguments, &renderer)))
        },
        "hmac_sha256": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(Hex.text(code(SHA256.self, input, arguments, &renderer)))
        },
        "hmac_sha256_hex": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(Hex.text(code(SHA256.self, input, arguments, &renderer)))
        },
        "hmac_sha256_base64": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(base64(code(SHA256.self, input, arguments, &renderer)))
        },
        "hmac_sha512": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            .string(Hex.text(code(SHA512.self, input, arguments, &renderer)))
        },
    ]

    private static func bytes(_ value: LiquidValue, _ renderer: inout Renderer) -> Data {
        let text = renderer.plainText(value)
        // Hashing a byte costs far more than copying one.
        renderer.note(bytes: 4 * text.utf8.count)
        return Data(text.utf8)
    }

    private static func code<Hash: HashFunction>(
        _ hash: Hash.Type,
        _ input: LiquidValue,
        _ arguments: FilterArguments,
        _ renderer: inout Renderer
    ) -> [UInt8] {
        let key = SymmetricKey(data: bytes(arguments.required(0), &renderer))
        return Array(HMAC<Hash>.authenticationCode(for: bytes(input, &renderer), using: key))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Base64.encoded(bytes, isURLSafe: false)
    }
}

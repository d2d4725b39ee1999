import Crypto
import Foundation

/// Signs requests as AWS's Signature Version 4 has it.
struct RequestSigner: Sendable {
    /// What a signature covers.
    struct Request: Sendable {
        var method: String
        /// Percent-encoded, as it is sent.
        var path: String
        /// Names and values as they are meant, in any order.
        var query: [(name: String, value: String)] = []
        /// All of them are signed; `host` has to be among them.
        var headers: [(name: String, value: String)]
        /// In hexadecimal digits.
        var payloadHash: String
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: BucketCredentials
    let region: String
    let service: String

    init(credentials: BucketCredentials, region: String, service: String = "s3") {
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    /// The value of the header `Authorization`.
    ///
    /// - Parameter time: As `x-amz-date` has it: see `time(_:)`.
    func authorization(_ request: Request, time: String) -> String {
        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let headers = Self.canonical(request.headers)
        let names = headers.map(\.name).joined(separator: ";")
        let canonical = [
            request.method, request.path, Self.text(of: request.query),
            headers.map { "\($0.name):\($0.value)\n" }.joined(), names, request.payloadHash,
        ].joined(separator: "\n")
        let text = [Self.algorithm, time, scope, Self.hash(Data(canonical.utf8))]
            .joined(separator: "\n")
        let day = key(String(time.prefix(8)))
        let signature = Self.hexadecimal(
            HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: day)
        )
        return "\(Self.algorithm) Credential=\(credentials.keyID)/\(scope), "
            + "SignedHeaders=\(names), Signature=\(signature)"
    }

    /// The key of one day, region and service.
    private func key(_ day: String) -> SymmetricKey {
        [day, region, service, "aws4_request"].reduce(
            SymmetricKey(data: Data("AWS4\(credentials.secret)".utf8))
        ) { key, part in
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
    }

    /// A query as it is signed and sent: sorted, with everything encoded that may be.
    static func text(of query: [(name: String, value: String)]) -> String {
        query.map { (encode($0.name), encode($0.value)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }

    /// Percent-encodes all but what RFC 3986 never encodes, and slashes where they separate.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, 0x2d, 0x2e, 0x5f, 0x7e:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x2f where keepsSlashes: encoded.append("/")
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }

    /// In the form of `x-amz-date`, such as `20261124T030000Z`.
    static func time(_ date: Date) -> String {
        date.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    }

    static func hash(_ data: some DataProtocol) -> String { hexadecimal(SHA256.hash(data: data)) }

    private static func canonical(
        _ headers: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        headers.map { header in
            let words = header.value.split(separator: " ")
            return (header.name.lowercased(), words.joined(separator: " "))
        }
        .sorted { $0.0 < $1.0 }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

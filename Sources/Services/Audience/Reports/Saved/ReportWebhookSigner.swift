import Crypto
import Foundation

/// Signs what webhooks of reports send, so that a receiver knows that it is from this server and how
/// old it is.
package struct ReportWebhookSigner: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: The server's key, from which the keys of reports are derived.
    package init(key: SymmetricKey) {
        let code = HMAC<SHA256>.authenticationCode(for: Data("report webhooks".utf8), using: key)
        self.key = SymmetricKey(data: Data(code))
    }

    /// The secret of one report; it is stored nowhere.
    package func secret(of report: UUID) -> String {
        let id = Data(report.uuidString.lowercased().utf8)
        return Self.hex(HMAC<SHA256>.authenticationCode(for: id, using: key))
    }

    /// The value of the header `Noroshi-Signature`: the time in Unix seconds, and the HMAC-SHA256 of
    /// the time, a dot and the body.
    package func signature(of body: String, from report: UUID, at time: Date) -> String {
        let seconds = Int64(time.timeIntervalSince1970)
        let secret = SymmetricKey(data: Data(secret(of: report).utf8))
        let signed = Data("\(seconds).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: secret)
        return "t=\(seconds),v1=\(Self.hex(code))"
    }

    private static func hex(_ code: HMAC<SHA256>.MAC) -> String {
        code.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

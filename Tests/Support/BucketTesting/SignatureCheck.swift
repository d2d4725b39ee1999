import Crypto
import Foundation
import NIOHTTP1

/// Looks whether a request is signed as AWS documents it, by a calculation that shares nothing with
/// the client's.
struct SignatureCheck {
    private static let longestSkew: TimeInterval = 15 * 60

    let settings: BucketServer.Settings

    /// - Returns: What is answered if it is not.
    func refusal(of request: BucketRequest) -> BucketAnswer? {
        guard let header = request.headers.first(name: "authorization"),
            let match = header.wholeMatch(
                of:
                    /AWS4-HMAC-SHA256 Credential=([^\/]+)\/([0-9]{8})\/([^\/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})/
            ),
            let time = request.headers.first(name: "x-amz-date"),
            let payload = request.headers.first(name: "x-amz-content-sha256")
        else { return .error(403, "AccessDenied") }
        let (_, id, day, region, names, signature) = match.output
        guard id == settings.keyID else { return .error(403, "InvalidAccessKeyId") }
        guard request.headers.first(name: "x-amz-security-token") == settings.token else {
            return .error(400, "InvalidToken")
        }
        guard region == settings.region else {
            return .error(
                400,
                "AuthorizationHeaderMalformed",
                "<Region>\(settings.region)</Region>"
            )
        }
        guard let sent = Self.date(time), time.hasPrefix(day),
            abs(sent.timeIntervalSince(settings.now())) <= Self.longestSkew
        else {
            return .error(
                403,
                "RequestTimeTooSkewed",
                "<ServerTime>\(settings.now().formatted(.iso8601))</ServerTime>"
            )
        }
        let signed = names.split(separator: ";").map(String.init)
        let must = request.headers.map { $0.name.lowercased() }
            .filter { $0 == "host" || $0 == "content-md5" || $0.hasPrefix("x-amz-") }
        guard signed == signed.sorted(), Set(must).isSubset(of: signed) else {
            return .error(403, "AccessDenied")
        }
        guard expected(request, String(day), String(region), time, signed, payload) == signature
        else { return .error(403, "SignatureDoesNotMatch") }
        guard BucketDigits.text(SHA256.hash(data: request.body)) == payload else {
            return .error(400, "XAmzContentSHA256Mismatch")
        }
        if let digest = request.headers.first(name: "content-md5"),
            digest != Data(Insecure.MD5.hash(data: request.body)).base64EncodedString()
        {
            return .error(400, "BadDigest")
        }
        return nil
    }

    private func expected(
        _ request: BucketRequest,
        _ day: String,
        _ region: String,
        _ time: String,
        _ signed: [String],
        _ payload: String
    ) -> String {
        var canonical = request.method + "\n" + request.path + "\n"
        canonical +=
            request.rawQuery.map { $0.0 + "=" + $0.1 }.sorted().joined(separator: "&") + "\n"
        for name in signed {
            let value = request.headers[canonicalForm: name].joined(separator: ",")
            canonical += name + ":" + value + "\n"
        }
        canonical += "\n" + signed.joined(separator: ";") + "\n" + payload
        let scope = day + "/" + region + "/s3/aws4_request"
        let text =
            "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n"
            + BucketDigits.text(SHA256.hash(data: Data(canonical.utf8)))
        var key = Data(("AWS4" + settings.secret).utf8)
        for part in [day, region, "s3", "aws4_request", text] {
            key = Data(
                HMAC<SHA256>.authenticationCode(
                    for: Data(part.utf8),
                    using: SymmetricKey(data: key)
                )
            )
        }
        return BucketDigits.text(key)
    }

    private static func date(_ text: String) -> Date? {
        guard text.count == 16, text.hasSuffix("Z") else { return nil }
        let digits = text.filter(\.isNumber)
        guard digits.count == 14 else { return nil }
        func part(_ from: Int, _ count: Int) -> Int? {
            Int(digits.dropFirst(from).prefix(count))
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: part(0, 4),
                month: part(4, 2),
                day: part(6, 2),
                hour: part(8, 2),
                minute: part(10, 2),
                second: part(12, 2)
            )
        )
    }
}

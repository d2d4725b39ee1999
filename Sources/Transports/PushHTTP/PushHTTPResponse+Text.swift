import Foundation

/// The text of a service's response in a form that can be stored and shown. Some endpoints are
/// named by clients, so nothing about the text is trusted.
extension PushHTTPResponse {
    private static let maxWait = 24 * 3600
    private static let maxWordLength = 64
    private static let maxNameLength = 500

    /// The beginning of the body as readable text.
    package var bodyText: String { Self.line(String(decoding: body.prefix(500), as: UTF8.self)) }

    /// `Retry-After` in seconds, at most a day; the date form is not used by push services.
    package var retryAfter: Duration? {
        guard let text = header("retry-after"), !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        // A number too large for `Int` still means the longest delay.
        return .seconds(min(Int(text) ?? Self.maxWait, Self.maxWait))
    }

    /// The text as one line without control characters, of at most `limit` characters.
    package static func line(_ text: String, limit: Int = 500) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            let isControl = scalar.properties.generalCategory == .control
            line.append(isControl ? " " : scalar)
        }
        return String(line)
    }

    /// A service's error code, such as `BadDeviceToken`; `nil` if the text is not one.
    package static func word(_ text: String?) -> String? {
        visible(text, longest: maxWordLength)
    }

    /// A service's id of a push; `nil` if the text could not be looked up.
    package static func name(_ text: String?) -> String? {
        visible(text, longest: maxNameLength)
    }

    private static func visible(_ text: String?, longest: Int) -> String? {
        guard let text, (1...longest).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
        else { return nil }
        return text
    }
}

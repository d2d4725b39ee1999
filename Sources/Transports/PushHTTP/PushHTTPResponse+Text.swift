import Foundation

/// What a service wrote, in a form that can be stored and shown. Some of the addresses that are
/// posted to are named by others, so nothing about the text is taken for granted.
extension PushHTTPResponse {
    private static let longestWait = 24 * 3600
    private static let longestWord = 64
    private static let longestName = 500

    /// The beginning of the body as text, for a person to read.
    package var bodyText: String { Self.line(String(decoding: body.prefix(500), as: UTF8.self)) }

    /// `Retry-After` in seconds, at most a day; the date form is not used by push services.
    package var retryAfter: Duration? {
        guard let text = header("retry-after"), !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        // More digits than a number holds are a long time all the same.
        return .seconds(min(Int(text) ?? Self.longestWait, Self.longestWait))
    }

    /// A text for a person: one line without control characters, of this many characters at most.
    package static func line(_ text: String, limit: Int = 500) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            let isControl = scalar.properties.generalCategory == .control
            line.append(isControl ? " " : scalar)
        }
        return String(line)
    }

    /// A service's word for what happened, such as `BadDeviceToken`; nil when it is none.
    package static func word(_ text: String?) -> String? {
        visible(text, longest: longestWord)
    }

    /// A service's name for a push; nil when it is none that could be looked up.
    package static func name(_ text: String?) -> String? {
        visible(text, longest: longestName)
    }

    private static func visible(_ text: String?, longest: Int) -> String? {
        guard let text, (1...longest).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
        else { return nil }
        return text
    }
}

import Foundation
import NoroshiWire

/// The information-capture pattern: the notification asks, checks what is typed, shows the button
/// once it is valid, confirms and closes.
///
/// ```
///            type                 register            finish
///  asking ─────────▶ asking ──────────────▶ confirmed ────────▶ closed
///            (valid or not)   (only if valid)
/// ```
public struct NoroshiInformationCapture: Sendable, Equatable {
    /// What is asked for.
    public enum Kind: Sendable, Equatable {
        /// An e-mail address, stored in the profile.
        case email
        /// A telephone number with 7 to 15 digits (E.164), stored in the profile without spaces,
        /// brackets and hyphens.
        case phoneNumber
        /// A text of at most 255 characters, stored in the custom attribute `key`.
        case text(key: String)
    }

    /// Where the conversation is.
    public enum Phase: Sendable, Equatable {
        /// The user types; the button is shown while the text is valid.
        case asking
        /// The value is recorded and the thanks are shown.
        case confirmed(value: String)
        /// The notification is closed.
        case closed
    }

    /// The identifier of the button that registers, unless another one is chosen.
    public static let defaultRegisterAction = "noroshi_register"

    /// What is asked for.
    public let kind: Kind
    /// The title of the question.
    public let title: String
    /// The words below the title.
    public let explanation: String
    /// The identifier of the button that registers.
    public let registerAction: String
    /// Where the conversation is.
    public private(set) var phase = Phase.asking
    /// What is typed.
    public private(set) var typed = ""

    /// A conversation that asks for `kind`.
    public init(
        kind: Kind,
        title: String,
        explanation: String = "",
        registerAction: String = defaultRegisterAction
    ) {
        self.kind = kind
        self.title = title
        self.explanation = explanation
        self.registerAction = registerAction
    }

    /// A conversation as the push describes it: `cert_title` and `cert_description`, or the title
    /// and text of the notification; `capture_kind` is `email` (unless stated), `phone` or `text`,
    /// where `attribute_key` names the attribute.
    public init(_ content: NoroshiNotificationContent) throws(NoroshiContentError) {
        let kind: Kind
        switch content.pairs["capture_kind"]?.stringValue ?? "email" {
        case "email": kind = .email
        case "phone": kind = .phoneNumber
        case "text": kind = .text(key: try content.text("attribute_key"))
        default: throw .wrongType(key: "capture_kind", expected: "email, phone or text")
        }
        self.init(
            kind: kind,
            title: content.pairs["cert_title"]?.stringValue ?? content.title,
            explanation: content.pairs["cert_description"]?.stringValue ?? content.body
        )
    }

    /// Whether what is typed can be registered.
    public var isValid: Bool { value != nil }

    /// Whether the register button is shown.
    public var showsRegisterButton: Bool { phase == .asking && isValid }

    /// The user has changed the text.
    public mutating func type(_ text: String) {
        guard phase == .asking else { return }
        typed = text
    }

    /// The user has tapped the button.
    /// - Returns: what is to be recorded; nothing unless the text is valid.
    public mutating func register() -> [NoroshiPatternEffect] {
        guard phase == .asking, let value else { return [] }
        phase = .confirmed(value: value)
        switch kind {
        case .email: return [.email(value)]
        case .phoneNumber: return [.phoneNumber(value)]
        case .text(let key): return [.attribute(key: key, value: .string(value))]
        }
    }

    /// The thanks were seen, or the time for them is over.
    public mutating func finish() -> [NoroshiPatternEffect] {
        guard case .confirmed = phase else { return [] }
        phase = .closed
        return [.respond(.dismiss)]
    }

    /// A button of the notification was tapped. The register button registers and keeps the
    /// notification open for the thanks; other buttons close it and reach the app.
    public mutating func respond(toAction identifier: String) -> [NoroshiPatternEffect] {
        guard identifier == registerAction else {
            phase = .closed
            return [.respond(.dismissAndForward)]
        }
        return register() + [.respond(.doNotDismiss)]
    }

    /// What would be stored; `nil` if it is not valid.
    private var value: String? {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        switch kind {
        case .email: return Self.isEmail(text) ? text : nil
        case .phoneNumber: return Self.phoneNumber(text)
        case .text: return (1...255).contains(text.count) ? text : nil
        }
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254 else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return !parts[0].isEmpty && parts[0].utf8.count <= 64 && labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty } && (labels.last?.count ?? 0) >= 2
            && !text.contains { $0.isWhitespace || ",;:<>()[]\"\\".contains($0) }
    }

    private static func phoneNumber(_ text: String) -> String? {
        let kept = text.filter { !" -().\u{3000}".contains($0) }
        let digits = kept.hasPrefix("+") ? kept.dropFirst() : kept[...]
        guard
            (7...15).contains(digits.count),
            digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return kept
    }
}

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
    /// The requested information.
    public enum Kind: Sendable, Equatable {
        /// An e-mail address, stored in the profile.
        case email
        /// A phone number with 7 to 15 digits (E.164), stored in the profile without spaces,
        /// brackets and hyphens.
        case phoneNumber
        /// A text of at most 255 characters, stored in the custom attribute `key`.
        case text(key: String)
    }

    /// The current step of the form.
    public enum Phase: Sendable, Equatable {
        /// The user is typing; the button is shown while the text is valid.
        case asking
        /// The value is recorded and the thanks are shown.
        case confirmed(value: String)
        /// The notification is closed.
        case closed
    }

    /// The default identifier of the button that registers.
    public static let defaultRegisterAction = "noroshi_register"

    /// The requested information.
    public let kind: Kind
    /// The title of the question.
    public let title: String
    /// The text below the title.
    public let explanation: String
    /// The identifier of the button that registers.
    public let registerAction: String
    /// The current step of the form.
    public private(set) var phase = Phase.asking
    /// The typed text.
    public private(set) var typed = ""

    /// A form that asks for `kind`.
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

    /// A form as the push describes it: `cert_title` and `cert_description`, or the title and text
    /// of the notification; `capture_kind` is `email` (the default), `phone` or `text`, for which
    /// `attribute_key` names the attribute.
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

    /// Whether the typed text can be registered.
    public var isValid: Bool { value != nil }

    /// Whether the register button is shown.
    public var showsRegisterButton: Bool { phase == .asking && isValid }

    /// Sets the text after the user has changed it.
    public mutating func type(_ text: String) {
        guard phase == .asking else { return }
        typed = text
    }

    /// Registers the text after a tap on the button.
    /// - Returns: The records to make; empty unless the text is valid.
    public mutating func register() -> [NoroshiPatternEffect] {
        guard phase == .asking, let value else { return [] }
        phase = .confirmed(value: value)
        switch kind {
        case .email: return [.email(value)]
        case .phoneNumber: return [.phoneNumber(value)]
        case .text(let key): return [.attribute(key: key, value: .string(value))]
        }
    }

    /// Finishes after the thanks were shown.
    public mutating func finish() -> [NoroshiPatternEffect] {
        guard case .confirmed = phase else { return [] }
        phase = .closed
        return [.respond(.dismiss)]
    }

    /// Handles a tap on a button of the notification. The register button registers and keeps the
    /// notification open for the thanks; other buttons close it and reach the app.
    public mutating func respond(toAction identifier: String) -> [NoroshiPatternEffect] {
        guard identifier == registerAction else {
            phase = .closed
            return [.respond(.dismissAndForward)]
        }
        return register() + [.respond(.doNotDismiss)]
    }

    /// The value to store; `nil` if the text is not valid.
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

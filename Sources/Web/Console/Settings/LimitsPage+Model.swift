import Foundation
import WebPages

/// Frequency caps and quiet hours.
struct LimitsPage {
    struct Row {
        let messages: String
        let days: String
        let position: Int
    }

    static let mostCaps = 10

    let rows: [Row]
    let capsFault: String?
    let quietStart: String
    let quietEnd: String
    let quietFault: String?
    let action: String

    init(_ form: LimitsForm, rejected: SettingsRejected?) {
        let blank = form.caps.count < Self.mostCaps ? [("", "")] : []
        rows = (form.caps + blank).enumerated().map { index, row in
            Row(messages: row.0, days: row.1, position: index + 1)
        }
        capsFault = rejected?.field == "caps" ? rejected?.text : nil
        quietStart = form.quietStart
        quietEnd = form.quietEnd
        quietFault = rejected?.field == "quiet" ? rejected?.text : nil
        action = ConsolePath.limits.path
    }
}

/// The limits as they were typed.
struct LimitsForm {
    var caps: [(messages: String, days: String)]
    var quietStart: String
    var quietEnd: String

    init(_ rules: WorkspaceRules) {
        caps = rules.caps.map { (String($0.messages), String($0.days)) }
        quietStart = rules.quietHours?.start ?? ""
        quietEnd = rules.quietHours?.end ?? ""
    }

    init(fields: FormFields) {
        caps = zip(fields.all("capMessages"), fields.all("capDays")).map { messages, days in
            (
                messages.trimmingCharacters(in: .whitespaces),
                days.trimmingCharacters(in: .whitespaces)
            )
        }
        .filter { !$0.0.isEmpty || !$0.1.isEmpty }
        quietStart = fields["quietStart"]
        quietEnd = fields["quietEnd"]
    }

    func checked(_ words: Words) throws(SettingsRejected) -> WorkspaceRules {
        var rules = WorkspaceRules()
        for row in caps {
            guard let messages = Int(row.messages), (1...1000).contains(messages),
                let days = Int(row.days), (1...30).contains(days)
            else { throw SettingsRejected(field: "caps", text: words("fault.cap")) }
            rules.caps.append(CapRule(messages: messages, days: days))
        }
        guard rules.caps.count <= LimitsPage.mostCaps else {
            throw SettingsRejected(field: "caps", text: words("fault.cap"))
        }
        if !quietStart.isEmpty || !quietEnd.isEmpty {
            let isComplete = Self.isTime(quietStart) && Self.isTime(quietEnd)
            guard isComplete, quietStart != quietEnd else {
                throw SettingsRejected(field: "quiet", text: words("fault.quiet"))
            }
            rules.quietHours = QuietRule(start: quietStart, end: quietEnd)
        }
        return rules
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return text.utf8.count == 5 && parts.count == 2 && (0..<24).contains(parts[0])
            && (0..<60).contains(parts[1])
    }
}

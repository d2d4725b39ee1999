import Foundation
import Model
import WebPages

/// Frequency caps and quiet hours.
struct LimitsPage {
    struct Row {
        let messages: String
        let days: String
        let position: Int
    }

    static let maxCaps = 10

    let rows: [Row]
    let capsFault: String?
    let quietStart: String
    let quietEnd: String
    let quietFault: String?
    let action: String
    let share: String
    let shareFault: String?
    /// How many users are in the control group and since when; `nil` where there is none.
    let members: String?
    let groupAction: String
    let reportAddress: String

    init(
        _ form: LimitsForm,
        group: ControlGroup?,
        members count: Int?,
        share typed: String? = nil,
        fault: FormFieldError?,
        context: ConsoleContext
    ) {
        share = typed ?? group.map { String($0.share) } ?? ""
        shareFault = fault?.field == "share" ? fault?.text : nil
        members = group.map { group in
            let day = context.words.day(group.since, in: context.zone)
            return count.map {
                context.words.counted("control_group.members", $0, ["day": day])
            } ?? context.words("control_group.since", ["day": day])
        }
        groupAction = ConsolePath.controlGroup.path
        reportAddress = ConsolePath.controlGroupReport.path
        let blank = form.caps.count < Self.maxCaps ? [("", "")] : []
        rows = (form.caps + blank).enumerated().map { index, row in
            Row(messages: row.0, days: row.1, position: index + 1)
        }
        capsFault = fault?.field == "caps" ? fault?.text : nil
        quietStart = form.quietStart
        quietEnd = form.quietEnd
        quietFault = fault?.field == "quiet" ? fault?.text : nil
        action = ConsolePath.limits.path
    }
}

/// The raw fields of the limits.
struct LimitsForm {
    var caps: [(messages: String, days: String)]
    var quietStart: String
    var quietEnd: String

    init(_ limits: MessagingLimits) {
        caps = limits.caps.map { (String($0.messages), String($0.days)) }
        quietStart = limits.quietHours?.start.description ?? ""
        quietEnd = limits.quietHours?.end.description ?? ""
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

    func apply(
        to limits: inout MessagingLimits,
        _ words: Words
    ) throws(FormFieldError) {
        limits.caps = []
        for row in caps {
            guard let messages = Int(row.messages), (1...1000).contains(messages),
                let days = Int(row.days), (1...30).contains(days)
            else { throw FormFieldError(field: "caps", text: words("fault.cap")) }
            limits.caps.append(FrequencyCap(messages: messages, days: days))
        }
        guard limits.caps.count <= LimitsPage.maxCaps else {
            throw FormFieldError(field: "caps", text: words("fault.cap"))
        }
        limits.quietHours = nil
        guard !quietStart.isEmpty || !quietEnd.isEmpty else { return }
        guard let start = Self.time(quietStart), let end = Self.time(quietEnd), start != end else {
            throw FormFieldError(field: "quiet", text: words("fault.quiet"))
        }
        limits.quietHours = QuietHours(start: start, end: end)
    }

    private static func time(_ text: String) -> TimeOfDay? {
        text.utf8.count == 5 ? TimeOfDay(text) : nil
    }
}

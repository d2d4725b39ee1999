import Audience
import Foundation
import InAppMessages
import Model
import NoroshiWire
import Sends
import WebPages

/// One in-app message: users' interactions with it, and its properties.
struct InAppDetailPage {
    struct Tap {
        let name: String
        let does: String
        let taps: String
        let rate: String
        let address: String
    }

    struct Variant {
        let name: String
        /// The state of the content; `nil` if it is currently shown.
        let standing: String?
        let says: String
        let users: String
        let impressions: String
        let clicks: String
        let rate: String
        let dismissals: String
    }

    struct Frame {
        let label: String?
        let frame: InAppFrame
        let htmlAddress: String?
    }

    struct Step {
        let label: String
        let address: String
        let question: String?
        let isDanger: Bool
    }

    let name: String
    let phase: String
    let tone: String
    let impressions: String
    let users: String
    let clicks: String
    let clickRate: String
    let dismissals: String
    let dismissalRate: String
    let perUser: String
    let funnel: MessageFunnelPart?
    let chart: LineChart
    let taps: [Tap]
    let hasTaps: Bool
    let contacts: [InAppUsersPage.Row]
    let hasContacts: Bool
    let usersAddress: String
    let frames: [Frame]
    let variants: [Variant]
    let hasVariants: Bool
    let control: String?
    let comparison: InAppComparisonPart?
    let lines: [PushReviewPage.Line]
    let id: String
    let steps: [Step]
    /// The address of the review before activation.
    let activateAddress: String?
    let editAddress: String?
    let duplicateAddress: String?
    let listAddress: String
    let phonesAddress: String?

    init(
        _ stored: InAppMessageDefinition,
        audience: AudienceChoice,
        report: InAppMessageReport,
        comparison: InAppComparison?,
        funnel: MessageFunnel,
        contacts: [InAppMessageEngagement],
        previews: [InAppMessagePreview],
        phonesAddress: String?,
        context: ConsoleContext
    ) {
        let words = context.words
        let counts = report.counts
        let id = stored.message.id
        self.id = id
        name = stored.name
        phase = words(stored.state.wordKey)
        tone = stored.state.tone
        impressions = words.number(counts.impressions)
        users = words.number(counts.recipients)
        clicks = words.number(counts.allClicks)
        clickRate = words.percent(counts.allClicks, of: counts.impressions)
        dismissals = words.number(counts.dismissals)
        dismissalRate = words.percent(counts.dismissals, of: counts.impressions)
        perUser =
            counts.recipients == 0
            ? "–"
            : (Double(counts.impressions) / Double(counts.recipients)).formatted(
                .number.precision(.fractionLength(1)).locale(words.language.locale)
            )
        self.funnel = MessageFunnelPart(funnel, words: words)
        chart = LineChart(
            name: words.counted("in_app.last_days", report.days.count),
            labels: report.days.map { words.day($0.start, in: context.zone) },
            series: [
                .init(
                    name: words("in_app.impressions"),
                    style: "quiet-line",
                    values: report.days.map(\.impressions)
                ),
                .init(
                    name: words("in_app.clicks"),
                    style: "strong",
                    values: report.days.map(\.clicks)
                ),
                .init(
                    name: words("in_app.dismissals"),
                    style: "third",
                    values: report.days.map(\.dismissals)
                ),
            ],
            previous: [],
            words: words
        )
        taps = Self.taps(stored, counts, context)
        hasTaps = !taps.isEmpty
        self.contacts = contacts.map { InAppUsersPage.Row($0, of: stored, context: context) }
        hasContacts = !contacts.isEmpty
        usersAddress = ConsolePath.inAppUsers(id).path
        frames = Self.frames(previews, of: stored, context)
        let results = report.results
        variants = results.enumerated().map { index, result in
            let counts = result.counts
            let isCurrent = result.standing == .current
            return Variant(
                name: isCurrent ? CampaignForm.letter(index) : "",
                standing: isCurrent
                    ? nil : words("campaigns.variant_\(result.standing.rawValue)"),
                says: result.text,
                users: words.number(counts.recipients),
                impressions: words.number(counts.impressions),
                clicks: words.number(counts.allClicks),
                rate: words.percent(counts.allClicks, of: counts.impressions),
                dismissals: words.number(counts.dismissals)
            )
        }
        hasVariants = !results.isEmpty
        control = stored.experiment.controlShare > 0 ? words.number(report.control) : nil
        self.comparison = comparison.flatMap {
            InAppComparisonPart($0, goal: stored.goal, words: words)
        }
        lines = InAppLines(stored, audience: audience, context: context).lines
        let mayWrite = context.hasRole(atLeast: .marketer)
        steps =
            mayWrite
            ? stored.steps.filter { $0 != .activate }.map { step in
                Step(
                    label: words(step.wordKey),
                    address: ConsolePath.inAppStep(id, step.rawValue).path,
                    question: step.questionKey.map { words($0) },
                    isDanger: step == .archive
                )
            } : []
        activateAddress =
            mayWrite && stored.steps.contains(.activate)
            ? ConsolePath.activateInApp(id).path : nil
        editAddress =
            mayWrite && stored.state != .archived ? ConsolePath.editInApp(id).path : nil
        duplicateAddress = mayWrite ? ConsolePath.duplicateInApp(id).path : nil
        listAddress = ConsolePath.inApp.path
        self.phonesAddress = stored.state == .active ? phonesAddress : nil
    }

    /// The contents, rendered as on phones.
    static func frames(
        _ previews: [InAppMessagePreview],
        of stored: InAppMessageDefinition,
        _ context: ConsoleContext
    ) -> [Frame] {
        previews.enumerated().map { index, preview in
            let query = FormFields([("variant", String(index))])
            let page = ConsolePath.inAppHTML(stored.message.id).query(query)
            let letter = CampaignForm.letter(index)
            return Frame(
                label: previews.count > 1 ? "\(context.words("campaigns.variant")) \(letter)" : nil,
                frame: InAppFrame(preview, number: index, context: context),
                htmlAddress: preview.message.kind == .html ? page : nil
            )
        }
    }

    /// Taps on the message itself, its buttons, and the links of an HTML page.
    private static func taps(
        _ stored: InAppMessageDefinition,
        _ counts: InAppMessageCounts,
        _ context: ConsoleContext
    ) -> [Tap] {
        let words = context.words
        let path = ConsolePath.inAppUsers(stored.message.id)
        func tap(_ name: String, _ does: String, _ count: Int, _ fields: FormFields) -> Tap {
            Tap(
                name: name,
                does: does,
                taps: words.number(count),
                rate: words.percent(count, of: counts.impressions),
                address: path.query(fields)
            )
        }
        guard stored.contents.contains(where: { $0.kind != .control }) else { return [] }
        let body = tap(
            words("in_app.body"),
            stored.message.kind == .html
                ? "" : (stored.message.clickAction ?? .none).text(words),
            counts.clicks,
            FormFields([("part", "clicks")])
        )
        var buttons: [InAppMessage.Button] = []
        for button in stored.contents.flatMap({ $0.buttons ?? [] })
        where !buttons.contains(where: { $0.id == button.id }) {
            buttons.append(button)
        }
        let known = buttons.map { button in
            tap(
                stored.buttonText(button.id),
                button.clickAction.text(words),
                counts.buttonClicks[button.id] ?? 0,
                FormFields([("button", button.id)])
            )
        }
        let ids = Set(buttons.map(\.id))
        let others = counts.buttonClicks.filter { !ids.contains($0.key) }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [body] + known
            + others.map { tap($0.key, "", $0.value, FormFields([("button", $0.key)])) }
    }
}

/// The properties of a message, line by line.
struct InAppLines {
    let lines: [PushReviewPage.Line]

    init(_ stored: InAppMessageDefinition, audience: AudienceChoice, context: ConsoleContext) {
        let words = context.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        let message = stored.message
        let rules = message.rules
        let experiment = stored.experiment
        add("in_app.kind", words(message.kind.wordKey))
        add(
            "in_app.trigger",
            rules.triggers.map { InAppForm.Trigger($0).fullText(words) }
                .joined(separator: " / ")
        )
        if rules.delaySeconds > 0 { add("campaigns.delay", Self.time(rules.delaySeconds, words)) }
        add("compose.audience", audience.text(words))
        add("in_app.often", Self.often(rules, words))
        if rules.startsAtMilliseconds != nil || rules.expiresAtMilliseconds != nil {
            add("in_app.period", Period(rules, context).text)
        }
        if rules.priority != 0 { add("in_app.priority", words.number(rules.priority)) }
        if message.kind != .html, message.kind != .control {
            add("in_app.on_click", (message.clickAction ?? .none).text(words))
        }
        add("compose.image", message.imageURL ?? "")
        if let seconds = message.closesAfterSeconds {
            add("in_app.closes_after", Self.time(seconds, words))
        }
        for choice in InAppChoice.all {
            let value = choice.value(in: message)
            if value != choice.unstated { add(choice.wordKey, words(choice.wordKey(of: value))) }
        }
        if let goal = stored.goal {
            add(
                "journeys.goal",
                words(
                    "journeys.goal_text",
                    ["event": goal.event.text(words), "time": words.span(goal.window)]
                )
            )
        }
        if experiment.controlShare > 0 {
            add("campaigns.control", words.percent(experiment.controlShare, of: 100))
        }
        if stored.contents.count > 1 {
            add(
                "campaigns.variants",
                experiment.weights.enumerated()
                    .map { "\(CampaignForm.letter($0)) (\(words.number($1)))" }
                    .joined(separator: ", ")
            )
        }
        for (key, value) in (message.extras ?? [:]).sorted(by: { $0.key < $1.key }) {
            lines.append(.init(label: key, value: value))
        }
        self.lines = lines
    }

    private static func often(_ rules: InAppMessageRules, _ words: Words) -> String {
        let times =
            switch rules.impressionLimit {
            case 1?: words("in_app.often.once")
            case let limit?: words.counted("in_app.times", limit)
            case nil: words("in_app.often.always")
            }
        var parts = [times]
        if let interval = rules.intervalSeconds, interval > 0 {
            parts.append(words("in_app.gap_text", ["time": time(interval, words)]))
        }
        return parts.joined(separator: " · ")
    }

    /// In the largest unit without a fraction.
    private static func time(_ seconds: Double, _ words: Words) -> String {
        let unit =
            InAppForm.Unit.allCases.last {
                seconds.truncatingRemainder(dividingBy: $0.seconds) == 0
            } ?? .seconds
        let amount = (seconds / unit.seconds).formatted(
            .number.locale(words.language.locale)
        )
        return "\(amount) \(words(unit.wordKey))"
    }
}

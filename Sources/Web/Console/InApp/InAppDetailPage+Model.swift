import Foundation
import Model
import Sends
import WebPages

/// One in-app message: what users did with it, and what it is.
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
        /// What became of it; `nil` for a content that is shown now.
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
    let lines: [PushReviewPage.Line]
    let id: String
    let steps: [Step]
    /// Where it is looked at before it begins.
    let activateAddress: String?
    let editAddress: String?
    let duplicateAddress: String?
    let listAddress: String
    let phonesAddress: String?

    init(
        _ sketch: InAppSketch,
        report: InAppReport,
        contacts: [InAppContact],
        previews: [InAppPreview],
        phonesAddress: String?,
        visit: Visit
    ) {
        let words = visit.words
        let row = sketch.row
        let figures = report.figures
        name = row.name
        phase = words(row.phase.wordKey)
        tone = row.phase.tone
        impressions = words.number(figures.impressions)
        users = words.number(figures.users)
        clicks = words.number(figures.clicks)
        clickRate = words.percent(figures.clicks, of: figures.impressions)
        dismissals = words.number(figures.dismissals)
        dismissalRate = words.percent(figures.dismissals, of: figures.impressions)
        perUser =
            figures.users == 0
            ? "–"
            : (Double(figures.impressions) / Double(figures.users)).formatted(
                .number.precision(.fractionLength(1)).locale(words.language.locale)
            )
        chart = LineChart(
            name: words.counted("in_app.last_days", report.days.count),
            labels: report.days.map { words.day($0.day, in: visit.zone) },
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
        taps = Self.taps(sketch, figures, visit)
        hasTaps = !taps.isEmpty
        self.contacts = contacts.map { InAppUsersPage.Row($0, of: sketch.draft, visit: visit) }
        hasContacts = !contacts.isEmpty
        usersAddress = ConsolePath.inAppUsers(row.id).path
        frames = Self.frames(previews, of: row, visit)
        variants = report.variants.enumerated().map { index, result in
            let figures = result.figures
            let isCurrent = result.standing == .current
            return Variant(
                name: isCurrent ? CampaignForm.letter(index) : "",
                standing: isCurrent
                    ? nil : words("campaigns.variant_\(result.standing.rawValue)"),
                says: result.text,
                users: words.number(figures.users),
                impressions: words.number(figures.impressions),
                clicks: words.number(figures.clicks),
                rate: words.percent(figures.clicks, of: figures.impressions),
                dismissals: words.number(figures.dismissals)
            )
        }
        hasVariants = !report.variants.isEmpty
        control = sketch.draft.controlShare > 0 ? words.number(report.control) : nil
        lines = InAppLines(sketch.draft, visit: visit).lines
        id = row.id
        let mayWrite = visit.may(.marketer)
        steps =
            mayWrite
            ? row.phase.steps.filter { $0 != .activate }.map { step in
                Step(
                    label: words(step.wordKey),
                    address: ConsolePath.inAppStep(row.id, step.rawValue).path,
                    question: step.questionKey.map { words($0) },
                    isDanger: step == .archive
                )
            } : []
        activateAddress =
            mayWrite && row.phase.steps.contains(.activate)
            ? ConsolePath.activateInApp(row.id).path : nil
        editAddress =
            mayWrite && row.phase != .archived ? ConsolePath.editInApp(row.id).path : nil
        duplicateAddress = mayWrite ? ConsolePath.duplicateInApp(row.id).path : nil
        listAddress = ConsolePath.inApp.path
        self.phonesAddress = row.phase == .active ? phonesAddress : nil
    }

    /// The contents, as phones show them.
    static func frames(_ previews: [InAppPreview], of row: InAppRow, _ visit: Visit) -> [Frame] {
        previews.enumerated().map { index, preview in
            let query = FormFields([("variant", String(index))])
            let page = ConsolePath.inAppHTML(row.id).query(query)
            let letter = CampaignForm.letter(index)
            return Frame(
                label: previews.count > 1 ? "\(visit.words("campaigns.variant")) \(letter)" : nil,
                frame: InAppFrame(preview, number: index, visit: visit),
                htmlAddress: preview.content.kind == .html ? page : nil
            )
        }
    }

    /// The message itself, its buttons, and the links of an HTML page that were tapped.
    private static func taps(
        _ sketch: InAppSketch,
        _ figures: InAppFigures,
        _ visit: Visit
    ) -> [Tap] {
        let words = visit.words
        let path = ConsolePath.inAppUsers(sketch.row.id)
        func tap(_ name: String, _ does: String, _ count: Int, _ fields: FormFields) -> Tap {
            Tap(
                name: name,
                does: does,
                taps: words.number(count),
                rate: words.percent(count, of: figures.impressions),
                address: path.query(fields)
            )
        }
        let draft = sketch.draft
        guard draft.contents.contains(where: { $0.kind != .control }) else { return [] }
        let body = tap(
            words("in_app.body"),
            draft.first.kind == .html ? "" : draft.first.click.text(words),
            figures.bodyClicks,
            FormFields([("part", "clicks")])
        )
        var buttons: [InAppButton] = []
        for button in draft.contents.flatMap(\.buttons)
        where !buttons.contains(where: { $0.id == button.id }) {
            buttons.append(button)
        }
        let known = buttons.map { button in
            tap(
                draft.buttonText(button.id),
                button.click.text(words),
                figures.buttonClicks[button.id] ?? 0,
                FormFields([("button", button.id)])
            )
        }
        let ids = Set(buttons.map(\.id))
        let others = figures.buttonClicks.filter { !ids.contains($0.key) }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [body] + known
            + others.map { tap($0.key, "", $0.value, FormFields([("button", $0.key)])) }
    }
}

/// What a message is, line by line.
struct InAppLines {
    let lines: [PushReviewPage.Line]

    init(_ draft: InAppDraft, visit: Visit) {
        let words = visit.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        let content = draft.first
        add("in_app.kind", words(content.kind.wordKey))
        add(
            "in_app.trigger",
            draft.triggers.map { $0.fullText(words) }
                .joined(separator: " / ")
        )
        if draft.delaySeconds > 0 { add("campaigns.delay", Self.time(draft.delaySeconds, words)) }
        add("compose.audience", draft.audience.text(words))
        add("in_app.often", Self.often(draft, words))
        if draft.startsAt != nil || draft.endsAt != nil {
            add("in_app.period", Period(draft.startsAt, draft.endsAt, visit).text)
        }
        if draft.priority != 0 { add("in_app.priority", words.number(draft.priority)) }
        if content.kind != .html, content.kind != .control {
            add("in_app.on_click", content.click.text(words))
        }
        add("compose.image", content.imageURL)
        if let seconds = content.closesAfterSeconds {
            add("in_app.closes_after", Self.time(seconds, words))
        }
        if content.orientation != .any {
            add("in_app.orientation", words(content.orientation.wordKey))
        }
        if draft.controlShare > 0 {
            add("campaigns.control", words.percent(draft.controlShare, of: 100))
        }
        if draft.contents.count > 1 {
            add(
                "campaigns.variants",
                draft.weights.enumerated()
                    .map { "\(CampaignForm.letter($0)) (\(words.number($1)))" }
                    .joined(separator: ", ")
            )
        }
        for pair in draft.pairs { lines.append(.init(label: pair.key, value: pair.value)) }
        self.lines = lines
    }

    private static func often(_ draft: InAppDraft, _ words: Words) -> String {
        let times =
            switch draft.impressionLimit {
            case 1?: words("in_app.often.once")
            case let limit?: words.counted("in_app.times", limit)
            case nil: words("in_app.often.always")
            }
        var parts = [times]
        if let interval = draft.intervalSeconds, interval > 0 {
            parts.append(words("in_app.gap_text", ["time": time(interval, words)]))
        }
        return parts.joined(separator: " · ")
    }

    /// In the largest unit that needs no fraction.
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

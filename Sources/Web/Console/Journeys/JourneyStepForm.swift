import Audience
import Foundation
import Model
import NoroshiWire
import WebPages

/// The raw fields of a step's form, so that one with errors, or left open, is shown again unchanged.
struct JourneyStepForm {
    struct Path: Hashable {
        var name = ""
        /// Where it leads; only the flow changes that.
        var target = ""
        var isByProperties = false
        var condition: JourneyConditionForm
        var rows: [JourneyPropertyRow] = []
        var isRemoved = false
        /// The place of the stored path; `nil` for a new one.
        var index: Int?
    }

    struct Share: Hashable {
        var name = ""
        var weight = ""
        var isControl = false
        var index: Int?
        var isRemoved = false
    }

    struct Pair: Hashable {
        var name: String
        var value: String
    }

    static let spanName = "span"
    static let limitName = "limit"
    static let conditionPrefix = "c."

    let choice: JourneyStepChoice
    var name = ""
    var push: CampaignForm?
    var message = ""
    var span = JourneySpanForm(86_400, name: spanName)
    var limit = JourneySpanForm(86_400, name: limitName)
    var time = ""
    var weekdays: Set<Int> = []
    var event = JourneyEventForm()
    var condition = JourneyConditionForm(.everyone, prefix: conditionPrefix)
    var paths: [Path] = []
    var shares: [Share] = []
    var method = JourneyWebhook.Method.post
    var url = ""
    var headers: [Pair] = []
    var body = ""
    var attributes: [Pair] = []
    var addToLists: Set<Int64> = []
    var removeFromLists: Set<Int64> = []
    var target = ""
    var journey = ""

    static func pathPrefix(_ index: Int) -> String { "p\(index)." }

    static func sharePrefix(_ index: Int) -> String { "s\(index)." }

    // MARK: What was written

    init(fields: FormFields, _ choice: JourneyStepChoice) {
        self.choice = choice
        name = fields.trimmed("stepName")
        if choice == .push {
            push = CampaignForm(
                fields: FormFields(
                    fields.entries + [("name", "-"), ("delivery", "api"), ("audience", "everyone")]
                )
            )
        }
        message = fields["message"]
        span = JourneySpanForm(fields: fields, name: Self.spanName)
        limit = JourneySpanForm(fields: fields, name: Self.limitName)
        time = fields["time"]
        weekdays = Set(fields.all("weekday").compactMap(Int.init))
        event = JourneyEventForm(fields: fields)
        condition = JourneyConditionForm(fields: fields, prefix: Self.conditionPrefix)
        paths = Self.paths(fields)
        shares = Self.shares(fields)
        method = JourneyWebhook.Method(rawValue: fields["method"]) ?? .post
        url = fields.trimmed("url")
        headers = Self.pairs(fields, "headerName", "headerValue")
        body = fields["body"]
        attributes = Self.pairs(fields, "attribute", "attributeTo")
        addToLists = Set(fields.all("addToList").compactMap { Int64($0) })
        removeFromLists = Set(fields.all("removeFromList").compactMap { Int64($0) })
        target = fields["target"]
        journey = fields["journey"]
    }

    private static func pairs(_ fields: FormFields, _ name: String, _ value: String) -> [Pair] {
        zip(fields.all(name), fields.all(value)).map {
            Pair(name: $0.trimmingCharacters(in: .whitespaces), value: $1)
        }
        .filter { !$0.name.isEmpty || !$0.value.isEmpty }
    }

    private static func paths(_ fields: FormFields) -> [Path] {
        (0...JourneyForms.pathLimit).compactMap { index in
            let prefix = pathPrefix(index)
            guard fields.has(prefix + "name") else { return nil }
            return Path(
                name: fields.trimmed(prefix + "name"),
                isByProperties: fields[prefix + "by"] == "properties",
                condition: JourneyConditionForm(fields: fields, prefix: prefix),
                rows: JourneyPropertyRow.all(fields, prefix: prefix),
                isRemoved: fields[prefix + "remove"] == "yes",
                index: Int(fields[prefix + "index"])
            )
        }
        // The blank one at the end is none.
        .filter { $0.index != nil || !$0.isBlank }
    }

    private static func shares(_ fields: FormFields) -> [Share] {
        (0...JourneyForms.pathLimit).compactMap { index in
            let prefix = sharePrefix(index)
            guard fields.has(prefix + "name") else { return nil }
            return Share(
                name: fields.trimmed(prefix + "name"),
                weight: fields.trimmed(prefix + "weight"),
                isControl: fields[prefix + "control"] == "yes",
                index: Int(fields[prefix + "index"]),
                isRemoved: fields[prefix + "remove"] == "yes"
            )
        }
        .filter { $0.index != nil || !$0.name.isEmpty || !$0.weight.isEmpty }
    }

    // MARK: What is stored

    init(_ step: JourneyStep, in definition: JourneyDefinition, _ site: ConsoleRenderer) async {
        choice = JourneyStepChoice(step.kind)
        name = step.name
        func condition(_ query: SegmentQuery, _ prefix: String) async -> JourneyConditionForm {
            let choice = try? await site.services.choices.choice(of: query)
            return JourneyConditionForm(choice ?? .everyone, prefix: prefix)
        }
        switch step.kind {
        case .push:
            push = definition.message(of: step).map { CampaignForm($0, audience: .everyone) }
        case .inAppMessage(let shown):
            message = shown.message.uuidString.lowercased()
            span = JourneySpanForm(shown.duration, name: Self.spanName)
        case .update(let update):
            attributes = update.attributes.keys.sorted().map { name in
                let value = update.attributes[name] ?? .null
                return Pair(
                    name: name,
                    value: value == .null ? "" : ParsedLiteral(json: value).text
                )
            }
            addToLists = Set(update.addToLists.map(\.rawValue))
            removeFromLists = Set(update.removeFromLists.map(\.rawValue))
        case .webhook(let webhook):
            method = webhook.method
            url = webhook.url
            headers = webhook.headers.keys.sorted().map {
                Pair(name: $0, value: webhook.headers[$0] ?? "")
            }
            body = webhook.body
        case .wait(.duration(let seconds)):
            span = JourneySpanForm(seconds, name: Self.spanName)
        case .wait(.clock(let clock)):
            time = clock.time.description
            weekdays = clock.weekdays
        case .wait(.event(let match, let seconds, _)):
            event = JourneyEventForm(match)
            limit = JourneySpanForm(seconds, name: Self.limitName)
        case .wait(.match(let query, let seconds, _)):
            self.condition = await condition(query, Self.conditionPrefix)
            limit = JourneySpanForm(seconds, name: Self.limitName)
        case .wait(.quietHours), .exit: break
        case .branch(let stored):
            for (index, path) in stored.enumerated() {
                let prefix = Self.pathPrefix(index)
                var shown = Path(
                    name: path.name,
                    condition: JourneyConditionForm(.everyone, prefix: prefix),
                    index: index
                )
                switch path.condition {
                case .segment(let query): shown.condition = await condition(query, prefix)
                case .properties(let conditions):
                    shown.isByProperties = true
                    shown.rows = conditions.map(JourneyPropertyRow.init)
                }
                paths.append(shown)
            }
        case .split(let stored):
            shares = stored.enumerated().map { index, share in
                Share(
                    name: share.name,
                    weight: String(share.weight),
                    isControl: share.isControl,
                    index: index
                )
            }
        case .jump: target = step.next?.description ?? ""
        case .enterJourney(let id): journey = id.uuidString.lowercased()
        }
    }
}

extension JourneyStepForm.Path {
    var isBlank: Bool {
        name.isEmpty && rows.isEmpty && !isByProperties && condition.audience.kind != .filter
            && condition.audience.conditions.attributes.isEmpty
            && condition.audience.conditions.events.isEmpty
    }
}

/// Limits of the forms of journeys.
enum JourneyForms {
    static let pathLimit = 10
}

import Foundation
import WebPages

/// The campaign wizard's fields as they were typed. The fields of the composer keep their names;
/// those of a variant begin with `v0.`, `v1.` and so on, those of its platforms with `v0.ios.`.
struct CampaignForm {
    static let variantLimit = 8

    var name: String
    var note: String
    var tags: String
    /// Pairs, buttons, badge, options and audience, as in the composer.
    var push: PushForm
    var variants: [VariantDraft]
    var weights: [String]
    var controlShare: String
    var timing: CampaignTiming.Kind
    var day: String
    var time: String
    var isLocal: Bool
    /// The zone of its clock; empty for the workspace's.
    var zone: String
    var repeats: CampaignTiming.Repeat
    var every: String
    var weekdays: Set<Int>
    var monthDays: String
    var until: String
    var triggerKind: String
    var triggerEvent: String
    var delay: String
    var delayUnit: String
    var exception: String
    var again: String
    var againDays: String
    var quietHours: QuietChoice
    var ignoresCaps: Bool
    var conversionEvents: [String]
    var conversionDays: [String]
    var rate: String
    var hasWinner: Bool
    var testShare: String
    var winnerHours: String
    var isByConversions: Bool

    init(fields: FormFields) {
        func line(_ name: String) -> String {
            fields[name].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        name = line("name")
        note = line("note")
        tags = line("tags")
        push = PushForm(fields: fields)
        let count = (0..<Self.variantLimit).prefix { fields.has("v\($0).message") }.count
        variants = (0..<max(1, count)).map { Self.variant($0, fields) }
        weights = variants.indices.map { line("v\($0).weight") }
        controlShare = line("controlShare")
        timing = CampaignTiming.Kind(rawValue: fields["delivery"]) ?? .now
        day = fields["day"]
        time = fields["time"]
        let clock = line("clock")
        isLocal = clock == "local"
        zone = ["local", "workspace"].contains(clock) ? "" : clock
        repeats = CampaignTiming.Repeat(rawValue: fields["repeats"]) ?? .never
        every = line("every")
        weekdays = Set(fields.all("weekday").compactMap(Int.init))
        monthDays = line("monthDays")
        until = fields["until"]
        triggerKind = fields["triggerKind"]
        triggerEvent = line("triggerEvent")
        delay = line("delay")
        delayUnit = fields["delayUnit"]
        exception = line("exception")
        again = fields["again"]
        againDays = line("againDays")
        quietHours = QuietChoice(rawValue: fields["quietHours"]) ?? .hold
        ignoresCaps = fields["ignoresCaps"] == "yes"
        let events = fields.all("conversionEvent")
        conversionDays = fields.all("conversionDays")
        conversionEvents = events.map { $0.trimmingCharacters(in: .whitespaces) }
        rate = line("rate")
        hasWinner = fields["hasWinner"] == "yes"
        testShare = line("testShare")
        winnerHours = line("winnerHours")
        isByConversions = fields["winnerBy"] == "conversions"
    }

    private static func variant(_ number: Int, _ fields: FormFields) -> VariantDraft {
        let prefix = "v\(number)."
        var variant = VariantDraft()
        variant.id = fields[prefix + "id"]
        variant.name = fields[prefix + "name"].trimmingCharacters(in: .whitespaces)
        if variant.name.isEmpty { variant.name = letter(number) }
        variant.text = text(prefix, fields)
        for platform in AppPlatform.allCases {
            let own = text(prefix + platform.rawValue + ".", fields)
            if !own.isEmpty { variant.own[platform] = own }
        }
        return variant
    }

    /// What a variant is called that has no name: A, B, C …
    static func letter(_ number: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number % 26)))
    }

    private static func text(_ prefix: String, _ fields: FormFields) -> VariantText {
        func line(_ name: String) -> String {
            fields[prefix + name].trimmingCharacters(in: .whitespaces)
        }
        var text = VariantText()
        text.title = fields[prefix + "title"]
        text.subtitle = fields[prefix + "subtitle"]
        text.message = fields[prefix + "message"].replacingOccurrences(of: "\r\n", with: "\n")
        text.url = line("url")
        text.imageURL = line("image")
        return text
    }

    init(_ draft: CampaignDraft, visit: Visit) {
        self.init(fields: FormFields([]))
        name = draft.name
        note = draft.note
        tags = draft.tags.joined(separator: ", ")
        push = PushForm(copying: draft.common)
        variants = draft.variants
        weights = draft.variants.map { String($0.weight) }
        controlShare = draft.controlShare == 0 ? "" : String(draft.controlShare)
        let timing = draft.timing
        self.timing = timing.kind
        day = timing.day
        time = timing.time
        isLocal = timing.isLocal
        zone = timing.zone
        repeats = timing.repeats
        every = timing.every == 1 ? "" : String(timing.every)
        weekdays = timing.weekdays
        monthDays = timing.monthDays.sorted().map(String.init).joined(separator: ", ")
        until = timing.until
        triggerKind = timing.isPurchase ? "purchase" : "event"
        triggerEvent = timing.event
        let isHours = timing.delayMinutes > 0 && timing.delayMinutes % 60 == 0
        delay = String(isHours ? timing.delayMinutes / 60 : timing.delayMinutes)
        delayUnit = isHours ? "hours" : "minutes"
        exception = timing.exception
        again = draft.againAfterDays == nil ? "never" : "after"
        againDays = draft.againAfterDays.map(String.init) ?? ""
        quietHours = draft.quietHours
        ignoresCaps = draft.ignoresCaps
        conversionEvents = draft.conversions.map(\.event)
        conversionDays = draft.conversions.map { String($0.days) }
        rate = draft.messagesPerMinute.map(String.init) ?? ""
        hasWinner = draft.winner != nil
        testShare = draft.winner.map { String($0.testShare) } ?? ""
        winnerHours = draft.winner.map { String($0.hours) } ?? ""
        isByConversions = draft.winner?.isByConversions ?? false
    }
}

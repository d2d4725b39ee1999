import Model
import WebPages

/// The raw fields of the campaign wizard. The fields of the composer keep their names; those of a
/// variant begin with `v0.`, `v1.` and so on, those of its platforms with `v0.ios.`.
struct CampaignForm {
    static let variantLimit = 8
    /// What the names of the fields of a conversion event begin with.
    static let conversionName = "conversion"
    static let conversionLimit = 4

    /// When a campaign sends.
    enum Timing: String, CaseIterable {
        case now, scheduled, action, api
    }

    enum Repeat: String, CaseIterable {
        case never, daily, weekly, monthly
    }

    struct Variant: Hashable {
        /// The stored identifier; empty for a new variant.
        var id = ""
        var name = ""
        var weight = ""
        var text = MessageText()
        /// Platforms with a separate text.
        var own: [MessagePlatform: MessageText] = [:]
        /// The pages of a push story that are not those of all variants; empty for the common ones.
        var story: [StoryFields] = []
    }

    var name: String
    var note: String
    var tags: String
    /// Pairs, buttons, badge, options and audience, as in the composer.
    var push: PushForm
    /// At least one.
    var variants: [Variant]
    var controlShare: String
    var timing: Timing
    var day: String
    var time: String
    /// Whether the schedule uses each user's local time instead of the workspace's.
    var isLocal: Bool
    /// The time zone of the schedule; empty for the workspace's.
    var zone: String
    var repeats: Repeat
    /// The interval in days, weeks or months.
    var every: String
    /// Monday is 1.
    var weekdays: Set<Int>
    /// Of a month; -1 is the last.
    var monthDays: String
    /// The last day; empty for no end.
    var until: String
    var triggerKind: String
    var triggerEvent: String
    var delay: String
    var delayUnit: String
    /// An event that cancels the message during the delay.
    var exception: String
    var again: String
    var againDays: String
    var quietHours: QuietHoursHandling
    var ignoresCaps: Bool
    var reachesControlGroup: Bool
    var conversions: [GoalForm]
    var rate: String
    var hasWinner: Bool
    var testShare: String
    var winnerHours: String
    var isByConversions: Bool

    init(fields: FormFields) {
        name = fields.trimmed("name")
        note = fields.trimmed("note")
        tags = fields.trimmed("tags")
        push = PushForm(fields: fields)
        let count = (0..<Self.variantLimit).prefix { fields.has("v\($0).message") }.count
        variants = (0..<max(1, count)).map { Variant($0, fields) }
        controlShare = fields.trimmed("controlShare")
        timing = Timing(rawValue: fields["delivery"]) ?? .now
        day = fields["day"]
        time = fields["time"]
        let clock = fields.trimmed("clock")
        isLocal = clock == "local"
        zone = ["local", "workspace"].contains(clock) ? "" : clock
        repeats = Repeat(rawValue: fields["repeats"]) ?? .never
        every = fields.trimmed("every")
        weekdays = Set(fields.all("weekday").compactMap(Int.init))
        monthDays = fields.trimmed("monthDays")
        until = fields["until"]
        triggerKind = fields["triggerKind"]
        triggerEvent = fields.trimmed("triggerEvent")
        delay = fields.trimmed("delay")
        delayUnit = fields["delayUnit"]
        exception = fields.trimmed("exception")
        again = fields["again"]
        againDays = fields.trimmed("againDays")
        quietHours = QuietHoursHandling(rawValue: fields["quietHours"]) ?? .delay
        ignoresCaps = fields["ignoresCaps"] == "yes"
        reachesControlGroup = fields["reachesControlGroup"] == "yes"
        conversions = GoalForm.all(fields, name: Self.conversionName)
        rate = fields.trimmed("rate")
        hasWinner = fields["hasWinner"] == "yes"
        testShare = fields.trimmed("testShare")
        winnerHours = fields.trimmed("winnerHours")
        isByConversions = fields["winnerBy"] == "conversions"
    }

    /// The default name of a variant: A, B, C …
    static func letter(_ number: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number % 26)))
    }
}

extension CampaignForm.Variant {
    fileprivate init(_ number: Int, _ fields: FormFields) {
        let prefix = "v\(number)."
        id = fields[prefix + "id"]
        name = fields.trimmed(prefix + "name")
        if name.isEmpty { name = CampaignForm.letter(number) }
        weight = fields.trimmed(prefix + "weight")
        text = MessageText(fields: fields, prefix: prefix)
        for platform in MessagePlatform.allCases {
            let own = MessageText(fields: fields, prefix: prefix + platform.rawValue + ".")
            if !own.isEmpty { self.own[platform] = own }
        }
        story = StoryFields.all(fields, prefix: prefix)
    }
}

extension FieldPath {
    /// A field of a campaign.
    package enum Campaign: Sendable, Hashable, CustomStringConvertible {
        case name, tags, audience, controlShare, reeligibility, messagesPerMinute, extraction
        /// The name that tells some sends from the others.
        case trackingID
        case variants
        /// By the variant's place.
        case weight(Int), variantName(Int)
        /// Of a variant's message for all or for a platform; the whole message where no field is
        /// named.
        case message(variant: Int, MessagePlatform? = nil, Message? = nil)
        case conversions, conversion(Int, Event), conversionWindow(Int)
        case winner, testShare, testDuration, winnerMeasure
        case delivery, zone, start, every, weekdays, monthDays, end, delay
        case trigger(Event), exception(Event)

        /// An event that something waits for, or the conditions of its properties.
        package enum Event: Sendable, Hashable {
            case event, conditions
        }

        package var description: String {
            switch self {
            case .name: "name"
            case .tags: "tags"
            case .audience: "audience"
            case .controlShare: "control_share"
            case .reeligibility: "reeligibility"
            case .messagesPerMinute: "messages_per_minute"
            case .extraction: "extraction"
            case .trackingID: "send_id"
            case .variants: "variants"
            case .weight(let variant): "variants.\(variant).weight"
            case .variantName(let variant): "variants.\(variant).name"
            case .message(let variant, let platform, let field):
                "variants.\(variant).\(platform?.rawValue ?? "message")"
                    + (field.map { ".\($0)" } ?? "")
            case .conversions: "conversions"
            case .conversion(let index, let part): Self.text("conversions.\(index).event", part)
            case .conversionWindow(let index): "conversions.\(index).window"
            case .winner: "winner"
            case .testShare: "winner.test_share"
            case .testDuration: "winner.duration"
            case .winnerMeasure: "winner.measure"
            case .delivery: "delivery"
            case .zone: "delivery.zone"
            case .start: "delivery.start"
            case .every: "delivery.every"
            case .weekdays: "delivery.weekdays"
            case .monthDays: "delivery.days"
            case .end: "delivery.end"
            case .delay: "delivery.delay"
            case .trigger(let part): Self.text("delivery.event", part)
            case .exception(let part): Self.text("delivery.exception", part)
            }
        }

        static func text(_ event: String, _ part: Event) -> String {
            part == .conditions ? event + ".conditions" : event
        }
    }
}

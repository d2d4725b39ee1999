/// The kind of object that a line of a content file describes.
enum ContentKind: String, CaseIterable {
    case settings, limits
    case subscriptionGroup = "subscription_group"
    case contentBlock = "content_block"
    case catalog
    case catalogItem = "catalog_item"
    case segment, news, campaign
    case inAppMessage = "in_app_message"
    case journey
    case preferenceCenter = "preference_center"
    case report

    /// The names of the fields besides `kind`.
    var fields: [String] {
        switch self {
        case .settings: ["time_zone", "currency", "languages", "color"]
        case .limits: ["caps", "quiet_hours", "control_group"]
        case .subscriptionGroup: ["id", "name", "channel"]
        case .contentBlock: ["id", "name", "description", "content", "state", "tags"]
        case .catalog: ["name", "description", "fields", "selections"]
        case .catalogItem: ["catalog", "id", "values"]
        case .segment: ["id", "name", "description", "author", "filter", "archived"]
        case .news:
            [
                "id", "author", "title", "text", "tenant", "category", "tags", "url", "image_url",
                "attributes", "release_from", "release_end",
            ]
        case .campaign:
            [
                "id", "archived", "name", "note", "tags", "audience", "extraction", "delivery",
                "variants", "control_share", "winner", "reeligibility", "is_exempt_from_caps",
                "reaches_control_group",
                "quiet_hours", "conversions", "messages_per_minute",
            ]
        case .inAppMessage:
            ["id", "name", "audience", "message", "experiment", "goal", "archived"]
        case .journey: ["id", "archived"] + JourneyFormReader.fields
        case .preferenceCenter:
            ["id", "name", "title", "page", "confirmation", "viewport", "state"]
        case .report: ["id", "name", "author", "type", "question", "on_overview"]
        }
    }

    /// Whether lines of this kind have an identifier.
    var hasIdentifier: Bool {
        switch self {
        case .settings, .limits, .catalog, .catalogItem: false
        default: true
        }
    }

    var words: String { rawValue.replacing("_", with: " ") }
}

extension FieldPath {
    /// A field of an in-app message.
    package enum InApp: Sendable, Hashable, CustomStringConvertible {
        case name, state, controlShare, others, weights
        case goal(Campaign.Event), goalWindow
        /// Of what people see of a variant, 0 the first; the whole of it where no field is named.
        case content(variant: Int = 0, Content? = nil)
        case rules(Rules)

        package indirect enum Content: Sendable, Hashable, CustomStringConvertible {
            case text, header, imageURL, imageAlt, clickURL, closesAfter
            case buttons, buttonText(Int), buttonURL(Int)
            case extras, extra(String)
            /// All other languages, and a field in one of them.
            case translations, translated(String, Content)

            package var description: String {
                switch self {
                case .translations: "translations"
                case .translated(let language, let field): "translations.\(language).\(field)"
                case .text: "message"
                case .header: "header"
                case .imageURL: "image_url"
                case .imageAlt: "image_alt"
                case .clickURL: "click_action.url"
                case .closesAfter: "closes_after_seconds"
                case .buttons: "buttons"
                case .buttonText(let index): "buttons.\(index).text"
                case .buttonURL(let index): "buttons.\(index).click_action.url"
                case .extras: "extras"
                case .extra(let key): "extras.\(key)"
                }
            }
        }

        package enum Rules: Sendable, Hashable, CustomStringConvertible {
            case triggers, triggerName(Int), triggerFilters(Int)
            case delay, impressionLimit, interval, end

            package var description: String {
                switch self {
                case .triggers: "triggers"
                case .triggerName(let index): "triggers.\(index).name"
                case .triggerFilters(let index): "triggers.\(index).filters"
                case .delay: "delay_seconds"
                case .impressionLimit: "impression_limit"
                case .interval: "interval_seconds"
                case .end: "expires_at_ms"
                }
            }
        }

        package var description: String {
            switch self {
            case .name: "name"
            case .state: "state"
            case .controlShare: "experiment.control_share"
            case .others: "experiment.others"
            case .weights: "experiment.weights"
            case .goal(let part): Campaign.text("goal.event", part)
            case .goalWindow: "goal.window"
            case .content(let variant, let field):
                (variant == 0 ? "message" : "experiment.others.\(variant - 1)")
                    + (field.map { ".\($0)" } ?? "")
            case .rules(let field): "message.rules.\(field)"
            }
        }
    }
}

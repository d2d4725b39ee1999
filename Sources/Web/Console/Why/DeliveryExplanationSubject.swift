import Model
import WebPages

/// The push or campaign that a question is about.
enum DeliveryExplanationSubject: Hashable {
    case push(SendID)
    case campaign(CampaignID)

    /// From the text in the address of the page, such as `push:12`.
    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let number = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "push": self = .push(SendID(number))
        case "campaign": self = .campaign(CampaignID(number))
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .push(let id): "push:\(id)"
        case .campaign(let id): "campaign:\(id)"
        }
    }

    /// The address of the page for this question.
    var address: String {
        ConsolePath.why.query(FormFields([("about", name)]))
    }
}

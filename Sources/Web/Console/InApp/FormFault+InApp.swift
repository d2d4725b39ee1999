import Campaigns

extension FormFault {
    /// The form's field of a problem of the services, which name it by its place in the API.
    init(inApp problem: PushProblems.Problem) {
        var parts = problem.field.split(separator: ".").map(String.init)[...]
        var variant = 0
        if parts.starts(with: ["experiment", "others"]), parts.count > 3 {
            variant = (Int(parts[2]) ?? 0) + 1
            parts = parts.dropFirst(3)
        } else if parts.first == "message", parts.count > 1 {
            parts.removeFirst()
        }
        let rest = Array(parts.dropFirst())
        let own = "v\(variant)."
        let contents = [
            "message": "text", "header": "header", "image_url": "image", "image_alt": "imageAlt",
            "closes_after_seconds": "closesAfter", "click_action": "body.url",
            "buttons": "b0.text",
        ]
        let rules = [
            "delay_seconds": "delay", "impression_limit": "times", "interval_seconds": "interval",
            "expires_at_ms": "endsAt",
        ]
        let field: String
        switch parts.first {
        case "buttons" where rest.count > 1:
            field = own + "b\(rest[0])." + (rest.contains("click_action") ? "url" : "text")
        case "rules" where rest.first == "triggers":
            field = rest.count > 1 ? "t\(rest[1]).name" : "triggers"
        case "rules": field = rest.first.flatMap { rules[$0] } ?? ""
        case "experiment": field = rest.first == "control_share" ? "controlShare" : "v0.weight"
        case "extras": field = "pairs"
        case "name": field = "name"
        case let first?: field = contents[first].map { own + $0 } ?? ""
        case nil: field = ""
        }
        self.init(field: field, text: problem.message)
    }
}

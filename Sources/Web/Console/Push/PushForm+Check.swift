import Audience
import Foundation
import WebPages

extension PushForm {
    private static let reservedKeys: Set<String> = [
        "aps", "noroshi", "push_no", "news_id", "news_tenant_id", "url", "custom_vars",
    ]
    private static let longestCollapseID = 64
    private static let badges = 1...99_999

    /// What has been typed, without judging it; what cannot be read is left out.
    var asTyped: PushDraft {
        var draft = PushDraft()
        draft.title = title
        draft.subtitle = subtitle
        draft.message = message
        draft.url = url
        draft.pairs = pairs.filter { !$0.key.isEmpty }
        draft.customJSON = Self.isJSON(customJSON) ? customJSON : ""
        draft.badge = badge ?? .unchanged
        draft.buttons = buttons
        draft.category = buttons == .custom ? category : ""
        draft.imageURL = image
        draft.sound = sound
        draft.threadID = threadID
        draft.collapseID = collapseID
        draft.interruption = interruption
        draft.audience = audience.choice
        draft.extraction = extraction
        draft.newsID = newsID.isEmpty ? nil : newsID
        draft.newsTenantID = newsID.isEmpty || newsTenant.isEmpty ? nil : newsTenant
        draft.basis = Int64(basis)
        draft.previewUser = previewUser
        return draft
    }

    /// The draft, or every field that has to be changed first.
    func checked(_ visit: Visit) -> Result<PushDraft, PushDraftRejected> {
        var faults: [FieldFault] = []
        func fault(_ field: PushField, _ key: String, _ arguments: [String: String] = [:]) {
            faults.append(FieldFault(field: field, text: visit.words(key, arguments)))
        }
        if message.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
            fault(.message, "fault.message_empty")
        }
        if !url.isEmpty, !Self.isAddress(url) { fault(.url, "fault.url") }
        if !image.isEmpty, !image.hasPrefix("https://") { fault(.image, "fault.image") }
        for problem in pairProblems { fault(.pairs, problem.key, ["name": problem.name]) }
        if !customJSON.isEmpty, !Self.isJSON(customJSON) { fault(.customJSON, "fault.json") }
        if badge == nil { fault(.badge, "fault.badge") }
        if buttons == .custom, category.isEmpty { fault(.category, "fault.category") }
        if collapseID.utf8.count > Self.longestCollapseID {
            fault(.collapseID, "fault.collapse")
        }
        var check = FormCheck(visit: visit)
        audience.check(&check)
        faults += check.faults.compactMap { FieldFault($0) }
        let date = isScheduled ? LocalTime.date(deliverAt, in: visit.zone) : nil
        if isScheduled {
            if let date {
                if date <= visit.now { fault(.deliverAt, "fault.past") }
            } else {
                fault(.deliverAt, "fault.date")
            }
        }
        guard faults.isEmpty else { return .failure(PushDraftRejected(faults: faults)) }
        var draft = asTyped
        draft.deliverAt = date
        return .success(draft)
    }

    private var badge: BadgeChoice? {
        switch badgeKind {
        case .unchanged: .unchanged
        case .clear: .clear
        case .set: Int(badgeNumber).flatMap { Self.badges.contains($0) ? .set($0) : nil }
        }
    }

    private var pairProblems: [(key: String, name: String)] {
        var seen: Set<String> = []
        return pairs.compactMap { pair in
            if pair.key.isEmpty { return ("fault.key_empty", pair.value) }
            if Self.reservedKeys.contains(pair.key) { return ("fault.key_reserved", pair.key) }
            if !seen.insert(pair.key).inserted { return ("fault.key_twice", pair.key) }
            return nil
        }
    }

    /// Something with a scheme; Liquid may stand anywhere after it.
    static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("{{") { return true }
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
        let isPlain = scheme.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        return isPlain && text.index(after: colon) < text.endIndex
            && !text.contains(where: \.isNewline)
    }

    /// Whether a text is JSON, or becomes some once its templates are rendered.
    private static func isJSON(_ text: String) -> Bool {
        text.contains("{{") || text.contains("{%")
            || (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }
}

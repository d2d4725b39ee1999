import Foundation
import WebPages

extension InAppContactQuery {
    init(fields: FormFields) {
        self.init()
        part = Part(rawValue: fields["part"]) ?? .all
        button = fields.has("button") ? fields["button"] : nil
        before = Int64(fields["before"])
    }
}

/// What users did with a message, one by one.
struct InAppUsersPage {
    struct Row {
        let user: String
        let userAddress: String
        let what: String
        let tone: String
        let button: String?
        let moment: Moment

        init(_ contact: InAppContact, of draft: InAppDraft, visit: Visit) {
            user = contact.userName
            userAddress = ConsolePath.user(String(contact.userID)).path
            what = visit.words(contact.kind.wordKey)
            tone = contact.kind.tone
            button = contact.button.map { draft.buttonText($0) }
            moment = visit.moment(contact.at)
        }
    }

    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let filters: [Filter]
    let button: String?
    let rows: [Row]
    let isEmpty: Bool
    let title: String
    let messageAddress: String
    let nextAddress: String?

    /// - Parameter contacts: one more than the page shows where there is a next one.
    init(
        _ contacts: [InAppContact],
        of sketch: InAppSketch,
        query: InAppContactQuery,
        limit: Int,
        visit: Visit
    ) {
        let path = ConsolePath.inAppUsers(sketch.row.id)
        let shown = contacts.prefix(limit)
        filters = InAppContactQuery.Part.allCases.map { part in
            Filter(
                label: visit.words(part.wordKey),
                address: path.query(
                    FormFields([]).setting("part", to: part == .all ? "" : part.rawValue)
                ),
                isCurrent: query.part == part && query.button == nil
            )
        }
        button = query.button.map { sketch.draft.buttonText($0) }
        rows = shown.map { Row($0, of: sketch.draft, visit: visit) }
        isEmpty = rows.isEmpty
        title = sketch.row.name
        messageAddress = ConsolePath.inAppMessage(sketch.row.id).path
        nextAddress =
            contacts.count > limit
            ? shown.last.map {
                path.query(visit.query.setting("before", to: String($0.cursor)))
            } : nil
    }
}

extension InAppDraft {
    /// What a button says in all variants that have it; its identifier where none has.
    func buttonText(_ id: String) -> String {
        var texts: [String] = []
        for button in contents.flatMap(\.buttons)
        where button.id == id && !texts.contains(button.text) {
            texts.append(button.text)
        }
        return texts.isEmpty ? id : texts.joined(separator: " / ")
    }
}

import Foundation
import Model
import NoroshiWire
import WebPages

/// A request for users' interactions with a message.
struct InAppUsersQuery {
    enum Part: String, CaseIterable {
        case all, impressions, clicks, dismissals

        fileprivate var kinds: Set<SDKRecord.InAppMessageInteraction.Kind> {
            switch self {
            case .all: []
            case .impressions: [.impression]
            case .clicks: [.click, .button]
            case .dismissals: [.dismissed]
            }
        }
    }

    static let limit = 25

    let part: Part
    /// Taps on this button only.
    let button: String?
    private let before: Int64?

    init(fields: FormFields) {
        part = Part(rawValue: fields["part"]) ?? .all
        button = fields.has("button") ? fields["button"] : nil
        before = Int64(fields["before"])
    }

    /// With one more than the page shows, to detect a next page.
    var stored: InAppMessageEngagementQuery {
        InAppMessageEngagementQuery(
            kinds: button == nil ? part.kinds : [.button],
            button: button,
            before: before,
            limit: Self.limit + 1
        )
    }
}

/// Users' interactions with a message, one by one.
struct InAppUsersPage {
    struct Row {
        let user: String
        let userAddress: String
        let what: String
        let tone: String
        let button: String?
        let moment: Moment

        init(
            _ contact: InAppMessageEngagement,
            of stored: InAppMessageDefinition,
            context: ConsoleContext
        ) {
            user = contact.userName
            userAddress = ConsolePath.user(String(contact.profile.rawValue)).path
            what = context.words(contact.kind.wordKey)
            tone = contact.kind.tone
            button = contact.button.map { stored.buttonText($0) }
            moment = context.moment(contact.time)
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

    /// - Parameter contacts: One more than the page shows if there is a next page.
    init(
        _ contacts: [InAppMessageEngagement],
        of stored: InAppMessageDefinition,
        query: InAppUsersQuery,
        context: ConsoleContext
    ) {
        let path = ConsolePath.inAppUsers(stored.message.id)
        let shown = contacts.prefix(InAppUsersQuery.limit)
        filters = InAppUsersQuery.Part.allCases.map { part in
            Filter(
                label: context.words(part.wordKey),
                address: path.query(
                    FormFields([]).setting("part", to: part == .all ? "" : part.rawValue)
                ),
                isCurrent: query.part == part && query.button == nil
            )
        }
        button = query.button.map { stored.buttonText($0) }
        rows = shown.map { Row($0, of: stored, context: context) }
        isEmpty = rows.isEmpty
        title = stored.name
        messageAddress = ConsolePath.inAppMessage(stored.message.id).path
        nextAddress =
            contacts.count > shown.count
            ? shown.last.map {
                path.query(context.query.setting("before", to: String($0.number)))
            } : nil
    }
}

extension InAppMessageDefinition {
    /// The text of a button in all variants that contain it; its identifier if none does.
    func buttonText(_ id: String) -> String {
        var texts: [String] = []
        for button in contents.flatMap({ $0.buttons ?? [] })
        where button.id == id && !texts.contains(button.text) {
            texts.append(button.text)
        }
        return texts.isEmpty ? id : texts.joined(separator: " / ")
    }
}

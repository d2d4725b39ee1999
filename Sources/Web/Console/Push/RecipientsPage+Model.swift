import Foundation
import Model
import Sends
import WebPages

/// A filter on the messages of a push.
struct RecipientQuery {
    enum Part: String, CaseIterable {
        case all, delivered, received, opened, direct, influenced, dismissed, rejected, unknown
    }

    var part: Part
    /// Only those rejected for this reason.
    var reason: String?
    /// The device after which the page begins.
    var after: DeviceID?
    var limit = 50

    init(fields: FormFields) {
        part = Part(rawValue: fields["part"]) ?? .all
        reason = fields["reason"].isEmpty ? nil : fields["reason"]
        after = Int64(fields["after"]).map { DeviceID($0) }
    }

    var filter: DispatchFilter {
        if let reason { return .reason(reason) }
        return switch part {
        case .all: .all
        case .delivered: .state(.accepted)
        case .received: .received
        case .opened: .opened
        case .direct: .openedDirectly
        case .influenced: .influenced
        case .dismissed: .dismissed
        case .rejected: .state(.rejected)
        case .unknown: .state(.unknown)
        }
    }
}

extension RecipientQuery.Part {
    var wordKey: String {
        switch self {
        case .all: "push.state.all"
        case .delivered: "push.dispatch.delivered"
        case .received: "push.dispatch.received"
        case .opened: "push.dispatch.opened"
        case .direct: "push.direct"
        case .influenced: "push.influenced"
        case .dismissed: "push.dispatch.dismissed"
        case .rejected: "push.dispatch.rejected"
        case .unknown: "push.dispatch.unknown"
        }
    }
}

/// The recipients of a push, device by device.
struct RecipientsPage {
    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let title: String
    let pushAddress: String
    let reason: String?
    let filters: [Filter]
    let rows: [PushDetailPage.Dispatch]
    let isEmpty: Bool
    /// Why none are shown.
    let nothing: String
    let nextAddress: String?
    let exportAddress: String

    /// `query.limit` is one more than the page shows.
    ///
    /// - Parameter isRemoved: Whether the workspace no longer keeps who got it.
    init(
        _ found: [DispatchListRow],
        of push: SendReport,
        isRemoved: Bool,
        query: RecipientQuery,
        context: ConsoleContext
    ) {
        let words = context.words
        let number = String(push.send.id.rawValue)
        let shown = found.prefix(query.limit - 1)
        title = push.readableTitle(words)
        pushAddress = ConsolePath.push(number).path
        reason = query.reason
        filters = RecipientQuery.Part.allCases.map { part in
            Filter(
                label: words(part.wordKey),
                address: ConsolePath.recipients(number).query(
                    FormFields([]).setting("part", to: part == .all ? "" : part.rawValue)
                ),
                isCurrent: query.reason == nil && part == query.part
            )
        }
        rows = shown.map { PushDetailPage.Dispatch($0.report, context: context) }
        isEmpty = rows.isEmpty
        nothing = words(isRemoved ? "push.recipients_removed" : "push.recipients_none")
        let fields = context.query.setting("notice", to: "")
        nextAddress =
            found.count == query.limit
            ? shown.last.map { last in
                ConsolePath.recipients(number).query(
                    fields.setting("after", to: String(last.device.rawValue))
                )
            } : nil
        exportAddress = ConsolePath.exportRecipients(number).query(fields.setting("after", to: ""))
    }
}

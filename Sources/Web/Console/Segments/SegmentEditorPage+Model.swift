import Audience
import Foundation
import Model
import Segments
import Users
import WebPages

/// The list of segments.
struct SegmentsPage {
    struct Row {
        let address: String
        let name: String
        let condition: String
        let users: String
        let changed: Moment
        let pushAddress: String
    }

    let rows: [Row]
    let isEmpty: Bool
    let mayWrite: Bool
    let newAddress: String
    let listsAddress: String
    let overlapAddress: String

    let drafts: DraftList

    init(
        _ segments: [SegmentInspector.Size],
        drafts: DraftList,
        context: ConsoleContext
    ) {
        self.drafts = drafts
        rows = segments.map { found in
            let segment = found.segment
            return Row(
                address: ConsolePath.segment(segment.id).path,
                name: segment.content.name,
                condition: found.condition,
                users: found.users.map { context.words.number($0) } ?? "–",
                changed: context.moment(segment.updatedAt),
                pushAddress: ConsolePath.newPush.query(
                    FormFields([("audience", "segment"), ("segment", "\(segment.id)")])
                )
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = context.hasRole(atLeast: .marketer)
        newAddress = ConsolePath.newSegment.path
        listsAddress = ConsolePath.lists.path
        overlapAddress = ConsolePath.segmentOverlap.path
    }
}

/// The editor of one segment.
struct SegmentEditorPage {
    let title: String
    let name: String
    let condition: String
    let nameFault: String?
    let conditionFault: String?
    let rows: ConditionRows
    /// Whether rows can express the condition.
    let hasRows: Bool
    let vocabulary: [SegmentVocabulary.Term]
    let hasVocabulary: Bool
    let action: String
    let probeAddress: String
    let explainAddress: String
    let choicesAddress: String
    let deleteAddress: String?
    let pushAddress: String?
    let listAddress: String
    let mayWrite: Bool
    /// Its size on the days on which it was counted; `nil` before there are two.
    let history: LineChart?
    /// Where it is shown who is in it; `nil` before it is saved.
    let usersAddress: String?
    /// The draft in which it is stored while it is edited; `nil` for members who can only read.
    let draft: DraftFrame?

    init(
        _ form: SegmentForm,
        id: SegmentID?,
        rows: ConditionRows,
        hasRows: Bool,
        vocabulary: [SegmentVocabulary.Term],
        history: [SegmentSize],
        fault: FormFieldError?,
        frame: DraftFrame?,
        context: ConsoleContext
    ) {
        self.draft = frame
        self.history = history.count > 1 ? Self.chart(history, context) : nil
        title = id == nil ? context.words("segments.new") : form.name
        name = form.name
        condition = form.condition
        nameFault = fault?.field == "name" ? fault?.text : nil
        conditionFault = fault?.field == "condition" ? fault?.text : nil
        self.rows = rows
        self.hasRows = hasRows
        self.vocabulary = vocabulary
        hasVocabulary = !vocabulary.isEmpty
        action = id.map { ConsolePath.segment($0).path } ?? ConsolePath.newSegment.path
        probeAddress = ConsolePath.probeSegment.path
        explainAddress = ConsolePath.explainSegment.path
        choicesAddress = ConsolePath.userChoices.path
        mayWrite = context.hasRole(atLeast: .marketer)
        deleteAddress = mayWrite ? id.map { ConsolePath.deleteSegment($0).path } : nil
        pushAddress =
            mayWrite
            ? id.map {
                ConsolePath.newPush.query(
                    FormFields([("audience", "segment"), ("segment", "\($0)")])
                )
            } : nil
        listAddress = ConsolePath.segments.path
        usersAddress = id.map { ConsolePath.segmentUsers("\($0)").path }
    }

    private static func chart(_ history: [SegmentSize], _ context: ConsoleContext) -> LineChart {
        let words = context.words
        return LineChart(
            name: words("segments.history"),
            // Days are the workspace's, whatever their zone is now.
            labels: history.map { size in
                words.day(Date(timeIntervalSince1970: Double(size.day) * 86_400), in: .gmt)
            },
            series: [
                LineChart.Series(
                    name: words("nav.users"),
                    style: "strong",
                    values: history.map(\.users)
                )
            ],
            previous: [],
            words: words
        )
    }
}

/// The rows of the builder alone, for the script.
struct SegmentRowsPart {
    let rows: ConditionRows
    let hasRows = true
}

/// The live result for a condition, in the member's language.
struct SegmentResponse: Codable {
    struct User: Codable {
        let name: String
        let detail: String
        let address: String
    }

    struct Platform: Codable {
        let name: String
        let devices: String
    }

    /// A name in the condition that no user has.
    struct Unknown: Codable {
        let name: String
        let event: Bool
        let text: String
        /// The nearest name that users have, and what taking it is called.
        let nearest: String?
        let take: String?

        init?(_ finding: SendFinding, _ words: Words) {
            switch finding {
            case .unknownFilterAttribute(let name, let nearest):
                (self.name, event, self.nearest) = (name, false, nearest)
            case .unknownFilterEvent(let name, let nearest):
                (self.name, event, self.nearest) = (name, true, nearest)
            default: return nil
            }
            text = finding.text(words)
            take = nearest.map { words("condition.take", ["name": $0]) }
        }
    }

    let reach: String?
    let reachable: String?
    let platforms: [Platform]
    let fault: String?
    /// Names in it that no user has.
    let notes: [String]
    let unknown: [Unknown]
    let users: [User]
    /// The condition of the rows, as text.
    let condition: String?
    /// The text's condition as the builder's rows; `nil` if it cannot be parsed.
    let rows: String?

    init(
        _ found: SegmentInspector.Finding,
        users sample: [UserSummary],
        notes: [SendFinding],
        condition: String,
        rows: String?,
        context: ConsoleContext
    ) {
        self.condition = condition
        self.rows = rows
        reach = AudienceReach(users: found.users, devices: found.deviceCount).text(context.words)
        reachable = context.words.counted("segments.reachable", found.reachableUsers)
        platforms = found.devices.sorted { $0.key < $1.key }.map {
            Platform(name: $0.key, devices: context.words.counted("reach.devices", $0.value))
        }
        fault = nil
        self.notes = notes.map { $0.text(context.words) }
        unknown = notes.compactMap { Unknown($0, context.words) }
        users = sample.map { user in
            let row = UsersPage.Row(user, context: context)
            return User(name: row.title, detail: user.name, address: row.address)
        }
    }

    /// The result for an empty or invalid condition.
    init(fault: String?, condition: String?, rows: String?) {
        self.condition = condition
        self.rows = rows
        reach = nil
        reachable = nil
        platforms = []
        self.fault = fault
        notes = []
        unknown = []
        users = []
    }
}

/// The answer to whether a user matches, and why not.
struct MembershipResponse: Codable {
    /// A filter with its result, or a group with its parts.
    struct Finding: Codable {
        let text: String
        let found: String
        let holds: Bool
        let isGroup: Bool
        /// The meaning of tick and cross, for screen readers.
        let mark: String
        let children: [Finding]

        init(_ finding: SegmentExplanation, context: ConsoleContext) {
            let words = context.words
            text = finding.group.map { words($0.wordKey) } ?? finding.text
            found = finding.found.map { Self.text($0, context) } ?? ""
            holds = finding.holds
            isGroup = finding.group != nil
            mark = words(finding.holds ? "segments.holds" : "segments.fails")
            children = finding.children.map { Finding($0, context: context) }
        }

        private static func text(_ found: ObservedValue, _ context: ConsoleContext) -> String {
            let words = context.words
            func moment(_ seconds: Int64) -> String {
                words.dateAndTime(
                    Date(timeIntervalSince1970: TimeInterval(seconds)),
                    in: context.zone
                )
            }
            switch found {
            case .unset(let name):
                return words("segments.found.unset", ["attribute": name])
            case .value(let name, let value):
                return words("segments.found.value", ["attribute": name, "value": value])
            case .values(let name, let values):
                let list = values.joined(separator: words("segments.found.separator"))
                return words("segments.found.values", ["attribute": name, "values": list])
            case .never:
                return words("segments.found.never")
            case .occurrences(let count, let first, let last, let sum):
                let times = words.counted(
                    "segments.found.times",
                    count,
                    ["first": moment(first), "last": moment(last)]
                )
                let added = sum.map {
                    words(
                        "segments.found.sum",
                        ["sum": $0.formatted(.number.locale(words.language.locale))]
                    )
                }
                return times + (added ?? "")
            case .devices(let fitting, let all):
                return words(
                    "segments.found.devices",
                    ["fitting": words.number(fitting), "all": words.number(all)]
                )
            }
        }
    }

    let verdict: String
    let isIn: Bool
    let address: String?
    let findings: [Finding]

    init(_ explanation: SegmentExplanation, of user: UserSummary, context: ConsoleContext) {
        let row = UsersPage.Row(user, context: context)
        isIn = explanation.holds
        verdict = context.words(
            isIn ? "segments.is_in" : "segments.is_not_in",
            ["user": row.title]
        )
        address = row.address
        findings = [Finding(explanation, context: context)]
    }

    init(verdict: String) {
        self.verdict = verdict
        isIn = false
        address = nil
        findings = []
    }
}

extension SegmentExplanation.Group {
    fileprivate var wordKey: String {
        switch self {
        case .all: "segments.group_all"
        case .any: "segments.group_any"
        case .not: "segments.group_not"
        }
    }
}

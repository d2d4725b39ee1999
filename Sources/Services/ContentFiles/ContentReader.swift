import Audience
import Campaigns
import Content
import Foundation
import Ingestion
import JSON
import Model
import News
import NoroshiWire
import Ports
import Reasons
import Segments

/// Converts the lines of a file to rows, given the existing content of the workspace.
struct ContentReader {
    private static let problemLimit = 100

    var outcome = ContentFileOutcome()
    /// What each line means for the row it describes, items of catalogs left out.
    private(set) var comparisons: [ContentComparison] = []
    private var current = 0
    let state: WrittenContentState
    let workspace: WorkspaceID
    let now: Date
    let changesWhatRuns: Bool
    var here = ContentReferencesHere()
    /// Writes rows in the form of files, to compare existing content with the file.
    private(set) var writer: ContentWriter
    var changes: WrittenContentChanges
    let lines: [ContentLine]
    private var problems: [FieldProblem] = []

    init(
        _ lines: [ContentLine],
        _ state: WrittenContentState,
        workspace: WorkspaceID,
        now: Date,
        audit: AuditRecord,
        changesWhatRuns: Bool
    ) {
        self.state = state
        self.workspace = workspace
        self.now = now
        self.changesWhatRuns = changesWhatRuns
        changes = WrittenContentChanges(audit: audit)
        writer = ContentWriter(state.content)
        // If another workspace has rows with these identifiers, the content gets new ones here,
        // which the next import of the file finds again.
        let others = Dictionary(
            uniqueKeysWithValues: state.taken.map {
                (
                    ContentWriter.text($0),
                    ContentWriter.text(Self.identifier(for: $0, in: workspace))
                )
            }
        )
        self.lines = lines.map {
            var line = $0
            line.replace(others)
            return line
        }
    }

    /// The identifier in a workspace for a row whose identifier another workspace uses.
    private static func identifier(for id: UUID, in workspace: WorkspaceID) -> UUID {
        UUID(named: "noroshi content/\(workspace)/\(ContentWriter.text(id))".utf8)
    }

    /// - Throws: `ValidationError` with every error.
    mutating func read() throws -> WrittenContentChanges {
        requireOnce()
        number()
        writer = ContentWriter(state.content, here)
        let readers: [(Set<ContentKind>, (inout ContentReader, ContentLine) throws -> Void)] = [
            ([.settings, .limits], { try $0.readSettings($1) }),
            ([.subscriptionGroup], { try $0.readGroup($1) }),
            ([.contentBlock], { try $0.readBlock($1) }),
            ([.catalog], { try $0.readCatalog($1) }),
            ([.news], { try $0.readNews($1) }),
            ([.segment], { try $0.readSegment($1) }),
        ]
        for (kinds, read) in readers { try each(of: kinds, read) }
        // The remaining checks use the resulting content of the workspace.
        let check = WrittenContentCheck(
            blocks: merged(state.content.blocks, changes.blocks, by: \.id),
            catalogs: merged(state.content.catalogs, changes.catalogs, by: \.name)
        )
        let book = book()
        try each(of: [.segment]) { try $0.check($1, book) }
        try each(of: [.contentBlock]) { reader, line in
            let id = try line.id()
            if let block = reader.changes.blocks.first(where: { $0.id == id }) {
                reader.report(check.problems(of: block), line)
            }
        }
        try each(of: [.catalogItem]) { try $0.readItem($1) }
        try each(of: [.campaign]) { try $0.readCampaign($1, check, book) }
        try each(of: [.inAppMessage]) { try $0.readInAppMessage($1, check, book) }
        try each(of: [.journey]) { try $0.readJourney($1) }
        try each(of: [.preferenceCenter]) { try $0.readCenter($1) }
        try each(of: [.report]) { try $0.readReport($1, book) }
        checkNames(lines)
        guard problems.isEmpty else {
            throw ValidationError(problems.sorted { $0.line < $1.line })
        }
        return changes
    }

    // MARK: Lines

    private mutating func each(
        of kinds: Set<ContentKind>,
        _ read: (inout ContentReader, ContentLine) throws -> Void
    ) throws {
        for line in lines where kinds.contains(line.kind) && problems.count < Self.problemLimit {
            do {
                current = line.number
                try read(&self, line)
            } catch let error as FieldProblem {
                report(error, line)
            } catch let error as CatalogError {
                report(
                    FieldProblem(
                        .request(line.kind == .catalog ? "catalog" : "values"),
                        error.reason
                    ),
                    line
                )
            }
        }
    }

    mutating func report(_ problem: FieldProblem, _ line: ContentLine) {
        problems.append(problem.inLine(line.number))
    }

    mutating func report(_ found: [FieldProblem], _ line: ContentLine) {
        for problem in found { report(problem, line) }
    }

    /// Rejects lines that describe the same object twice.
    private mutating func requireOnce() {
        var first: [String: Int] = [:]
        for line in lines {
            let identity =
                line.kind.hasIdentifier
                ? (line["id"]?.stringValue ?? "").lowercased()
                : [line["catalog"], line["name"], line["id"]]
                    .compactMap { $0?.stringValue }.joined(separator: "/")
            let key = line.kind.rawValue + " " + identity
            if let other = first[key] {
                report(FieldProblem("line", .describedTwice, ["line": "\(other)"]), line)
            } else {
                first[key] = line.number
            }
        }
    }

    /// Finds the rows of references; new rows get their numbers here.
    private mutating func number() {
        let content = state.content
        for segment in content.segments {
            here.segments[segment.apiID] = segment.id.rawValue
            here.note(segment.content.definition)
        }
        for list in content.lists { here.lists[list.name.lowercased()] = list.id.rawValue }
        for campaign in content.campaigns {
            here.campaigns[campaign.apiID] = campaign.id.rawValue
            if case .matching(let query) = campaign.content.audience {
                here.note(query.filter ?? "")
            }
        }
        for message in content.inAppMessages { here.note(message.audience.filter ?? "") }
        for item in content.news { here.news[item.publicID] = item.id.rawValue }
        var segment = state.nextSegment
        var campaign = state.nextCampaign
        var item = state.nextNews
        func give(_ next: inout Int64, _ id: UUID, _ known: inout [UUID: Int64]) {
            guard known[id] == nil else { return }
            known[id] = next
            next += 1
        }
        for line in lines {
            guard let id = try? line.id() else { continue }
            switch line.kind {
            case .segment: give(&segment, id, &here.segments)
            case .campaign: give(&campaign, id, &here.campaigns)
            case .news: give(&item, id, &here.news)
            default: break
            }
        }
        nameRows()
    }

    func merged<Row, Key: Hashable>(
        _ rows: [Row],
        _ changed: [Row],
        by key: (Row) -> Key
    ) -> [Row] {
        let keys = Set(changed.map(key))
        return rows.filter { !keys.contains(key($0)) } + changed
    }

    private func book() -> WorkspaceSegmentResolver {
        var campaigns = state.content.campaigns.map {
            CampaignReference(id: $0.id, apiID: $0.apiID, name: $0.content.name)
        }
        let known = Set(campaigns.map(\.id.rawValue))
        for (id, number) in here.campaigns where !known.contains(number) {
            campaigns.append(CampaignReference(id: CampaignID(number), apiID: id, name: ""))
        }
        return WorkspaceSegmentResolver(
            segments: merged(state.content.segments, changes.segments, by: \.id),
            lists: state.content.lists,
            campaigns: campaigns
        )
    }

    /// Keeps a row unless it is equal to the existing one.
    @discardableResult
    mutating func keep<Row>(
        _ row: Row,
        instead former: Row?,
        _ rows: WritableKeyPath<WrittenContentChanges, [Row]>,
        _ line: (Row) throws -> [String: JSONValue]
    ) rethrows -> Bool {
        guard compare(try former.map(line), try line(row)) else { return false }
        changes[keyPath: rows].append(row)
        return true
    }

    /// Counts a row, and says whether it differs from what is there.
    mutating func compare(
        _ before: [String: JSONValue]?,
        _ after: [String: JSONValue]
    ) -> Bool {
        comparisons.append(
            ContentComparison(
                line: current,
                before: before.map(JSONValue.object),
                after: .object(after)
            )
        )
        if before == nil {
            outcome.added += 1
        } else if before == after {
            outcome.unchanged += 1
        } else {
            outcome.changed += 1
        }
        return before != after
    }
}

import Audience
import Campaigns
import Content
import Foundation
import InAppMessages
import Ingestion
import Model
import News
import NoroshiWire
import Ports
import Reasons
import Segments

/// Reads the lines of each kind.
extension ContentReader {
    // MARK: The workspace

    mutating func readSettings(_ line: ContentLine) throws {
        guard line.kind == .settings else { return try readLimits(line) }
        var settings = state.content.settings
        settings.timeZone = try line.text("time_zone", or: settings.timeZone)
        settings.currency = try line.text("currency", or: settings.currency)
        if line["languages"] != nil { settings.languages = try line.texts("languages") }
        settings.color = try line.choice("color", or: settings.color)
        do throws(ValidationError) {
            settings = try settings.checked()
        } catch {
            return report(error.problems, line)
        }
        if compare(writer.settings(state.content.settings), writer.settings(settings)) {
            changes.settings = settings
        }
    }

    private mutating func readLimits(_ line: ContentLine) throws {
        var limits = try ReadableForm.read(.object(line.members), as: MessagingLimits.self)
        // A file of an earlier version, or of a workspace without the group, does not end it.
        if line["control_group"] == nil { limits.controlGroup = state.content.limits.controlGroup }
        do throws(ValidationError) {
            try CampaignValidator.check(limits)
        } catch {
            return report(error.problems, line)
        }
        if compare(try writer.limits(state.content.limits), try writer.limits(limits)) {
            changes.limits = limits
        }
    }

    mutating func readGroup(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.groups.first { $0.id == id }
        _ = try line.requiredText("channel")
        let group = SubscriptionGroup(
            id: id,
            workspace: workspace,
            name: try line.requiredText("name"),
            channel: try line.choice("channel", or: .push)
        )
        let limit = SubscriptionGroupService.nameLimit
        guard (1...limit).contains(group.name.count) else {
            throw FieldProblem("name", .characterCount, ["count": "\(limit)"])
        }
        keep(group, instead: former, \.groups, writer.line)
    }

    // MARK: Parts of messages

    mutating func readBlock(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.blocks.first { $0.id == id }
        let block = ContentBlock(
            id: id,
            workspace: workspace,
            name: try line.requiredText("name"),
            description: try line.text("description", or: ""),
            content: try line.requiredText("content"),
            state: try line.choice("state", or: .active),
            tags: try line.texts("tags"),
            createdAt: now,
            updatedAt: now
        )
        keep(block, instead: former, \.blocks, writer.line)
    }

    mutating func readCatalog(_ line: ContentLine) throws {
        let name = try line.requiredText("name")
        let former = state.content.catalogs.first { $0.name == name }
        let fields = try ReadableForm.read(
            line["fields"] ?? [],
            as: [Catalog.Field].self,
            field: "fields"
        )
        let selections = try ReadableForm.read(
            line["selections"] ?? [],
            as: [CatalogSelection].self,
            field: "selections"
        )
        var catalog =
            former ?? Catalog(workspace: workspace, name: name, fields: [], updatedAt: now)
        catalog.description = try line.text("description", or: "")
        for (index, field) in fields.enumerated() {
            guard let known = former?.fields.first(where: { $0.name == field.name }) else {
                catalog.fields.append(field)
                continue
            }
            guard known.type == field.type else {
                throw FieldProblem(
                    "fields.\(index).type",
                    .otherFieldType,
                    ["type": .text(field.type.rawValue), "other": .text(known.type.rawValue)]
                )
            }
        }
        catalog.selections = merged(catalog.selections, selections, by: \.name)
            .sorted { $0.name < $1.name }
        guard Set(selections.map(\.name)).count == selections.count else {
            throw FieldProblem("selections", .ownNames)
        }
        try CatalogCheck.whole(catalog)
        try keep(catalog, instead: former, \.catalogs, writer.line)
    }

    mutating func readItem(_ line: ContentLine) throws {
        let name = try line.requiredText("catalog")
        let catalog =
            changes.catalogs.first { $0.name == name }
            ?? state.content.catalogs.first { $0.name == name }
        guard let catalog else {
            throw FieldProblem("catalog", .namesNothing, ["name": .text(name)])
        }
        let item = CatalogItem(
            id: try line.requiredText("id"),
            values: try line.object("values")
        )
        try CatalogCheck.items([item], of: catalog)
        changes.items[name, default: []].append(item)
        outcome.items += 1
    }

    // MARK: Segments and news

    mutating func readSegment(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.segments.first { $0.apiID == id }
        guard let number = here.segments[id] else { return }
        guard let filter = line["filter"] else { throw FieldProblem("filter", .isMissing) }
        let rule = try here.rule(filter, field: "filter")
        let name = try line.requiredText("name")
        guard (1...250).contains(name.count),
            name == name.trimmingCharacters(in: .whitespacesAndNewlines)
        else { throw FieldProblem("name", .segmentName, ["count": "250"]) }
        let segment = StoredSegment(
            id: SegmentID(number),
            workspace: workspace,
            apiID: id,
            content: SegmentContent(
                name: name,
                description: try line.text("description", or: ""),
                definition: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self),
                author: try line.text("author", or: changes.audit.author)
            ),
            createdAt: now,
            updatedAt: now,
            archivedAt: try line.flag("archived") ? former?.archivedAt ?? now : nil
        )
        try keep(segment, instead: former, \.segments, writer.line)
    }

    mutating func check(_ line: ContentLine, _ book: WorkspaceSegmentResolver) throws {
        let id = try line.id()
        guard let segment = changes.segments.first(where: { $0.apiID == id }) else { return }
        let rule = try SegmentJSON.decode(Data(segment.content.definition.utf8))
        guard let problem = book.problems(in: rule, of: segment.id).first else { return }
        throw ContentReferencesHere.problem(problem, "filter")
    }

    func check(_ query: SegmentQuery, _ field: String, _ book: WorkspaceSegmentResolver)
        throws
    {
        guard let filter = query.filter else { return }
        let rule = try SegmentJSON.decode(Data(filter.utf8))
        guard let problem = book.problems(in: rule).first else { return }
        throw ContentReferencesHere.problem(problem, field)
    }

    mutating func readNews(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.news.first { $0.publicID == id }
        guard let number = here.news[id] else { return }
        var content = NewsContent(
            title: try line.requiredText("title"),
            text: try line.text("text", or: "")
        )
        content.tenant = try line.text("tenant", or: "")
        content.category = try line.text("category", or: "")
        content.tags = try line.texts("tags")
        content.url = try line.text("url", or: "")
        content.imageURL = try line.text("image_url", or: "")
        content.attributes = try line.object("attributes")
        content.releaseFrom = try line.time("release_from")
        content.releaseEnd = try line.time("release_end")
        let found = NewsCheck.problems(of: content)
        guard found.isEmpty else { return report(found, line) }
        let item = NewsItem(
            id: NewsID(number),
            publicID: id,
            workspace: workspace,
            content: content,
            author: try line.text("author", or: changes.audit.author),
            createdAt: now,
            updatedAt: now
        )
        let isLive = [.published, .scheduled].contains(former?.content.state(at: now))
        if keep(item, instead: former, \.news, writer.line), isLive, !changesWhatRuns {
            throw FieldProblem("id", .newsShown)
        }
    }

    // MARK: Messages

    mutating func readCampaign(
        _ line: ContentLine,
        _ check: WrittenContentCheck,
        _ book: WorkspaceSegmentResolver
    ) throws {
        let id = try line.id()
        let former = state.content.campaigns.first { $0.apiID == id }
        guard let number = here.campaigns[id] else { return }
        let isArchived = try line.flag("archived")
        var members = line.members
        for name in ["id", "audience", "archived"] { members[name] = nil }
        var content = try CampaignForm.content(members)
        content = try content.changingMessages { try here.message($0, field: $1) }
        let query = try here.query(line["audience"], field: "audience")
        try self.check(query, "audience.filter", book)
        if query != SegmentQuery() { content.audience = .matching(query) }
        var campaign = Campaign(
            id: CampaignID(number),
            workspace: workspace,
            apiID: id,
            state: .draft,
            content: content,
            createdAt: now,
            updatedAt: now
        )
        if let former, former.state != .archived { campaign.state = former.state }
        if isArchived { campaign.state = .archived }
        if changesWhatRuns, [.active, .paused].contains(campaign.state),
            former?.content != content
        {
            campaign.state = .stopped
        }
        guard try keep(campaign, instead: former, \.campaigns, writer.line) else { return }
        report(check.problems(of: content), line)
        let runs =
            [.active, .paused].contains(former?.state)
            || state.sending.contains(campaign.id)
        guard !runs || changesWhatRuns else {
            throw FieldProblem("id", .campaignRuns)
        }
    }

    mutating func readInAppMessage(
        _ line: ContentLine,
        _ check: WrittenContentCheck,
        _ book: WorkspaceSegmentResolver
    ) throws {
        let id = try line.id()
        let former = state.content.inAppMessages.first { $0.id == id }
        guard let form = line["message"] else { throw FieldProblem("message", .isMissing) }
        let message = try InAppForm.message(form, id: id, field: "message")
        let audience = try here.query(line["audience"], field: "audience")
        guard audience.segments.count < 2 else {
            throw FieldProblem("audience.segments", .oneSegment)
        }
        try self.check(audience, "audience.filter", book)
        var stored = InAppMessageDefinition(
            id: id,
            workspace: workspace,
            name: try line.requiredText("name"),
            state: .draft,
            audience: audience,
            message: message,
            experiment: try InAppForm.experiment(line["experiment"], of: message, id: id),
            goal: try GoalForm.goal(in: line.members),
            createdAt: now,
            updatedAt: now
        )
        if let former, former.state != .archived { stored.state = former.state }
        if try line.flag("archived") { stored.state = .archived }
        if stored.experiment.identities.isEmpty,
            former?.message == message, former?.experiment.others == stored.experiment.others
        {
            stored.experiment.identities = former?.experiment.identities ?? []
        }
        guard try keep(stored, instead: former, \.inAppMessages, writer.line) else { return }
        report(check.problems(of: stored), line)
        guard former?.state != .active || changesWhatRuns else {
            throw FieldProblem("id", .messageShown)
        }
    }

    mutating func readCenter(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.centers.first { $0.id == id }
        let center = PreferenceCenter(
            id: id,
            workspace: workspace,
            name: try line.requiredText("name"),
            title: try line.text("title", or: ""),
            page: try line.requiredText("page"),
            confirmation: try line.text("confirmation", or: ""),
            viewport: try line.text("viewport"),
            state: try line.choice("state", or: .draft),
            createdAt: now,
            updatedAt: now
        )
        guard former == nil || former?.name == center.name else {
            throw FieldProblem("name", .keepsName, ["name": .text(former?.name ?? "")])
        }
        do throws(ValidationError) {
            try PreferenceCenterService.check(name: center.name)
            try PreferenceCenterService.check(
                PreferenceCenterService.Draft(
                    title: center.title,
                    page: center.page,
                    confirmation: center.confirmation,
                    viewport: center.viewport,
                    state: center.state
                )
            )
        } catch {
            for problem in error.problems {
                report(FieldProblem(.request(Self.name(problem.path)), problem.reason), line)
            }
            return
        }
        keep(center, instead: former, \.centers, writer.line)
    }

    /// The field of a preference center, by its name in a file.
    private static func name(_ path: FieldPath) -> String {
        switch path {
        case .preferenceCenter(.page): "page"
        case .preferenceCenter(.confirmation): "confirmation"
        default: path.description
        }
    }

    // MARK: All of them

    /// Checks unique names and the limits on their number.
    mutating func checkNames(_ lines: [ContentLine]) {
        let content = state.content
        let segments = merged(content.segments, changes.segments, by: \.id)
            .filter { $0.archivedAt == nil }
        let names: [ContentKind: [(UUID, String)]] = [
            .segment: segments.map { ($0.apiID, $0.content.name.lowercased()) },
            .subscriptionGroup: merged(content.groups, changes.groups, by: \.id)
                .map { ($0.id, $0.name) },
            .contentBlock: merged(content.blocks, changes.blocks, by: \.id)
                .map { ($0.id, $0.name) },
            .inAppMessage: merged(content.inAppMessages, changes.inAppMessages, by: \.id)
                .map { ($0.id, $0.name) },
            .preferenceCenter: merged(content.centers, changes.centers, by: \.id)
                .map { ($0.id, $0.name) },
            .report: merged(content.reports, changes.reports, by: \.id)
                .map { ($0.id, $0.content.name) },
        ]
        let owners = names.mapValues {
            Dictionary($0.map { ($0.1, [$0.0]) }, uniquingKeysWith: +)
        }
        let limits: [ContentKind: Int] = [
            .subscriptionGroup: SubscriptionGroupService.countLimit,
            .preferenceCenter: PreferenceCenterService.countLimit,
            .report: SavedReport.limit,
        ]
        for line in lines {
            guard let owners = owners[line.kind], let id = try? line.id(),
                let name = line["name"]?.stringValue
            else { continue }
            let key = line.kind == .segment ? name.lowercased() : name
            let others = owners[key] ?? []
            if others.contains(id), let other = others.first(where: { $0 != id }) {
                report(
                    FieldProblem(
                        "name",
                        .nameOfAnother,
                        ["kind": .text(line.kind.words), "other": .text(ContentWriter.text(other))]
                    ),
                    line
                )
            }
        }
        for (kind, limit) in limits where (names[kind]?.count ?? 0) > limit {
            if let line = lines.last(where: { $0.kind == kind }) {
                report(FieldProblem("line", .oneTooManyHere, ["count": "\(limit)"]), line)
            }
        }
        let catalogs = merged(content.catalogs, changes.catalogs, by: \.name).count
        if catalogs > CatalogValidator.catalogLimit,
            let line = lines.last(where: { $0.kind == .catalog })
        {
            report(
                FieldProblem(
                    "line",
                    .oneTooManyHere,
                    ["count": "\(CatalogValidator.catalogLimit)"]
                ),
                line
            )
        }
    }
}

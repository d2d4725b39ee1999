import Foundation
import JSON
import Model
import NoroshiWire
import Ports

/// Writes the content of a workspace, one object per line of a file.
struct ContentWriter {
    typealias Line = [String: JSONValue]

    private let content: WrittenContent
    private let names: ContentNames
    /// For journeys, which are read by people: names where identifiers are not needed.
    private let readable: ContentNames

    /// - Parameter prefersNames: Whether segments and campaigns are called by their names in all
    ///   lines, not in journeys only.
    init(_ content: WrittenContent, prefersNames: Bool = false) {
        self.content = content
        var rows = ContentNames.Rows()
        for segment in content.segments {
            rows.segments[segment.id.description] = Self.text(segment.apiID)
        }
        for list in content.lists { rows.lists[list.id.description] = list.name }
        for campaign in content.campaigns {
            rows.campaigns[campaign.id.description] = Self.text(campaign.apiID)
        }
        for item in content.news { rows.news[item.id.description] = Self.text(item.publicID) }
        readable = ContentNames(
            rows.readable(NamedRows(content), content),
            segments: content.segments
        )
        names = prefersNames ? readable : ContentNames(rows, segments: content.segments)
    }

    /// Writes rows that will be stored together with others that `content` does not contain yet.
    init(_ content: WrittenContent, _ here: ContentReferencesHere) {
        self.content = content
        func texts(_ numbers: [UUID: Int64]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: numbers.map { (String($1), Self.text($0)) })
        }
        names = ContentNames(
            ContentNames.Rows(
                segments: texts(here.segments),
                lists: Dictionary(
                    uniqueKeysWithValues: content.lists.map { ($0.id.description, $0.name) }
                ),
                campaigns: texts(here.campaigns),
                news: texts(here.news)
            )
        )
        readable = names
    }

    /// The lines before the items of catalogs, and those after them.
    ///
    /// Lines are ordered by unique names; campaigns and news are in order of creation.
    func lines() throws -> (before: [Line], after: [Line]) {
        let segments = try segmentLines()
        let before =
            [settings(content.settings), try limits(content.limits)]
            + content.groups.sorted { $0.name < $1.name }.map(line)
            + content.blocks.sorted { $0.name < $1.name }.map(line)
            + (try content.catalogs.sorted { $0.name < $1.name }.map(line))
        let after =
            segments
            + content.news.sorted { $0.id < $1.id }.map(line)
            + (try content.campaigns.sorted { $0.id < $1.id }.map(line))
            + (try content.inAppMessages.sorted { $0.name < $1.name }.map(line))
            + (try content.journeys.sorted { $0.id < $1.id }.map(line))
            + content.centers.sorted { $0.name < $1.name }.map(line)
            + content.reports.sorted { $0.content.name < $1.content.name }.map(line)
        return (before, after)
    }

    /// The existing segments, and the archived ones that are still referred to.
    private func segmentLines() throws -> [Line] {
        let sorted = content.segments.sorted {
            ($0.content.name, $0.apiID.uuidString) < ($1.content.name, $1.apiID.uuidString)
        }
        var lines: [(segment: StoredSegment, line: Line)] = []
        for segment in sorted { lines.append((segment, try line(segment))) }
        var text = lines.filter { $0.segment.archivedAt == nil }.map { JSONWriter.text($0.line) }
            .joined()
        for campaign in content.campaigns { text += JSONWriter.text(try line(campaign)) }
        for message in content.inAppMessages { text += JSONWriter.text(try line(message)) }
        for journey in content.journeys { text += JSONWriter.text(try line(journey)) }
        // Their questions have identifiers.
        for report in content.reports { text += JSONWriter.text(report.content.question) }
        var shown = Set(lines.filter { $0.segment.archivedAt == nil }.map(\.segment.id))
        // An archived segment may refer to other segments.
        var grows = true
        while grows {
            grows = false
            for (segment, line) in lines
            where !shown.contains(segment.id) && text.contains(Self.text(segment.apiID)) {
                shown.insert(segment.id)
                text += JSONWriter.text(line["filter"] ?? .null)
                grows = true
            }
        }
        return lines.filter { shown.contains($0.segment.id) }.map(\.line)
    }

    // MARK: Kinds

    func settings(_ settings: WorkspaceSettings) -> Line {
        [
            "kind": kind(.settings), "time_zone": .string(settings.timeZone),
            "currency": .string(settings.currency),
            "languages": .array(settings.languages.map(JSONValue.string)),
            "color": .string(settings.color.rawValue),
        ]
    }

    func limits(_ limits: MessagingLimits) throws -> Line {
        var line = try ReadableForm.value(of: limits).objectValue ?? [:]
        line["kind"] = kind(.limits)
        return line
    }

    func line(_ group: SubscriptionGroup) -> Line {
        [
            "kind": kind(.subscriptionGroup), "id": .string(Self.text(group.id)),
            "name": .string(group.name), "channel": .string(group.channel.rawValue),
        ]
    }

    func line(_ block: ContentBlock) -> Line {
        [
            "kind": kind(.contentBlock), "id": .string(Self.text(block.id)),
            "name": .string(block.name), "description": .string(block.description),
            "content": .string(block.content), "state": .string(block.state.rawValue),
            "tags": .array(block.tags.map(JSONValue.string)),
        ]
    }

    func line(_ catalog: Catalog) throws -> Line {
        [
            "kind": kind(.catalog), "name": .string(catalog.name),
            "description": .string(catalog.description),
            "fields": try ReadableForm.value(of: catalog.fields),
            "selections": try ReadableForm.value(
                of: catalog.selections.sorted { $0.name < $1.name }
            ),
        ]
    }

    static func line(_ item: CatalogItem, of catalog: String) -> Line {
        [
            "kind": .string(ContentKind.catalogItem.rawValue), "catalog": .string(catalog),
            "id": .string(item.id), "values": .object(item.values),
        ]
    }

    func line(_ segment: StoredSegment) throws -> Line {
        var line: Line = [
            "kind": kind(.segment), "id": .string(Self.text(segment.apiID)),
            "name": .string(segment.content.name),
            "description": .string(segment.content.description),
            "author": .string(segment.content.author),
            "filter": try names.filter(segment.content.definition),
        ]
        if segment.archivedAt != nil { line["archived"] = true }
        return line
    }

    func line(_ item: NewsItem) -> Line {
        let content = item.content
        var line: Line = [
            "kind": kind(.news), "id": .string(Self.text(item.publicID)),
            "author": .string(item.author), "title": .string(content.title),
            "text": .string(content.text), "tenant": .string(content.tenant),
            "category": .string(content.category),
            "tags": .array(content.tags.map(JSONValue.string)), "url": .string(content.url),
            "image_url": .string(content.imageURL), "attributes": .object(content.attributes),
        ]
        line["release_from"] = content.releaseFrom.map { .string(Timestamp.format($0)) }
        line["release_end"] = content.releaseEnd.map { .string(Timestamp.format($0)) }
        return line
    }

    func line(_ campaign: Campaign) throws -> Line {
        let content = campaign.content.changingMessages { message, _ in names.named(message) }
        var line = try CampaignForm.members(of: content)
        line["kind"] = kind(.campaign)
        line["id"] = .string(Self.text(campaign.apiID))
        switch content.audience {
        case .everyone: break
        case .matching(let query): line["audience"] = try names.audience(query)
        // Only launches name individual users.
        case .profiles: line["audience"] = .object(["users": []])
        }
        if campaign.state == .archived { line["archived"] = true }
        return line
    }

    func line(_ stored: InAppMessageDefinition) throws -> Line {
        var line: Line = [
            "kind": kind(.inAppMessage), "id": .string(Self.text(stored.id)),
            "name": .string(stored.name), "message": try InAppForm.value(of: stored.message),
        ]
        line["audience"] = try names.audience(stored.audience)
        line["experiment"] = try InAppForm.value(of: stored.experiment)
        line["goal"] = try stored.goal.map(GoalForm.value)
        if stored.state == .archived { line["archived"] = true }
        return line
    }

    /// Its draft: published versions stay where they are.
    func line(_ journey: Journey) throws -> Line {
        var line = try JourneyForm(journey.draft, names: readable, style: .readable).members()
        line["kind"] = kind(.journey)
        line["id"] = .string(Self.text(journey.apiID))
        if journey.state == .archived { line["archived"] = true }
        return line
    }

    func line(_ center: PreferenceCenter) -> Line {
        var line: Line = [
            "kind": kind(.preferenceCenter), "id": .string(Self.text(center.id)),
            "name": .string(center.name), "title": .string(center.title),
            "page": .string(center.page), "confirmation": .string(center.confirmation),
            "state": .string(center.state.rawValue),
        ]
        line["viewport"] = center.viewport.map(JSONValue.string)
        return line
    }

    /// Not where it is sent: the address may be a secret, and nothing begins by an import.
    func line(_ report: SavedReport) -> Line {
        let content = report.content
        return [
            "kind": kind(.report), "id": .string(Self.text(report.id)),
            "name": .string(content.name), "author": .string(report.author),
            "type": .string(content.kind),
            "question": .object(names.question(content.question)),
            "on_overview": .bool(content.isOnOverview),
        ]
    }

    private func kind(_ kind: ContentKind) -> JSONValue { .string(kind.rawValue) }

    static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}

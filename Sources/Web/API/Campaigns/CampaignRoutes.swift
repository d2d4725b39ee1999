import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/campaigns/list`, `/campaigns/details` and the series of counts of campaigns and sends.
struct CampaignRoutes: Sendable {
    private static let pageLength = 100

    let campaigns: CampaignService
    let reports: CampaignReports
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let period = [
            RESTEndpoint.Parameter(name: "campaign_id", isRequired: true),
            RESTEndpoint.Parameter(name: "length", isRequired: true, schema: .integer(1...100)),
            RESTEndpoint.Parameter(name: "ending_at", schema: .time),
        ]
        return [
            .get(
                "/campaigns/list",
                "campaigns.list",
                "Lists campaigns, \(Self.pageLength) on a page",
                ["page", "include_archived", "sort_direction", "last_edit.time[gt]"].map {
                    RESTEndpoint.Parameter(name: $0)
                }
            ) { try await list($0) },
            .get(
                "/campaigns/details",
                "campaigns.details",
                "Describes a campaign",
                [RESTEndpoint.Parameter(name: "campaign_id", isRequired: true)]
            ) { try await details($0) },
            .get(
                "/campaigns/data_series",
                "campaigns.data_series",
                "Counts what came of a campaign, day by day",
                period
            ) { try await series($0) },
            .get(
                "/sends/data_series",
                "sends.data_series",
                "Counts what came of the sends with one send_id, day by day",
                period + [RESTEndpoint.Parameter(name: "send_id", isRequired: true)]
            ) { call in
                let reader = try call.reader()
                guard let id = try CampaignReader.trackingID(reader) else {
                    throw reader.problem("send_id", .required)
                }
                return try await series(call, trackingID: id)
            },
        ]
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let text = try reader.string("page") ?? "0"
        guard let page = Int(text), (0...1_000_000).contains(page) else {
            throw reader.problem("page", .pageNumber)
        }
        var query = CampaignQuery(limit: Self.pageLength, offset: page * Self.pageLength)
        switch try reader.string("include_archived") ?? "false" {
        case "true": query.states = Set(CampaignState.allCases)
        case "false": break
        default: throw reader.problem("include_archived", .mustBeFlag)
        }
        switch try reader.string("sort_direction") ?? "asc" {
        case "asc": query.order = .oldestFirst
        case "desc": query.order = .newestFirst
        default: throw reader.problem("sort_direction", .ascOrDesc)
        }
        query.editedAfter = try reader.time("last_edit.time[gt]")
        let found = try await campaigns.campaigns(in: call.workspace, matching: query)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "campaigns": .array(found.campaigns.map { CampaignResponse($0).summary }),
            ])
        )
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            try call.reader(),
            in: call.workspace
        )
        return try JSONResponse.json(JSONValue.object(CampaignResponse(campaign).details))
    }

    private func series(
        _ call: RESTEndpoint.Call,
        trackingID: String? = nil
    ) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            reader,
            in: call.workspace
        )
        guard let length = Int(try reader.requiredString("length")), (1...100).contains(length)
        else { throw reader.problem("length", .dayCount, ["first": "1", "last": "100"]) }
        let days = try await reports.series(
            of: campaign,
            trackingID: trackingID,
            days: length,
            endingAt: try reader.time("ending_at") ?? now()
        )
        let records = try await reports.variantRecords(of: campaign)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "data": .array(days.map { CampaignResponse(campaign).row($0, records) }),
            ])
        )
    }
}

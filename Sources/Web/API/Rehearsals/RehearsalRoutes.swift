import Campaigns
import Foundation
import Hummingbird
import Journeys
import Model
import NoroshiWire
import Reasons
import Rehearsals

/// `/rehearsals…`: plays days of a campaign or journey on a copy, one at a time for each server. Braze has
/// no endpoints for this; these are specific to this server.
struct RehearsalRoutes: Sendable {
    let rehearsals: RehearsalService
    let campaigns: CampaignService
    let journeys: JourneyService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/rehearsals",
                "rehearsals.create",
                "Begins to play days of a campaign or journey on a copy of the data; nothing is sent",
                success: .accepted,
                takes: Schema.object([
                    "campaign_id": Schema.uuid,
                    "journey_id": Schema.uuid.described("Instead of a campaign."),
                    "from": Schema.time.described("When it begins; now without it."),
                    "days": Schema.integer(rehearsals.limits.days)
                        .described("\(Self.usualDays) without it."),
                    "seed": Schema.integer(Self.seeds)
                        .described("Another number draws other behavior; 1 without it."),
                ]).needingOne(of: Self.subject.map(\.name))
            ) { try await create($0) }.recordingItself,
            .get(
                "/rehearsals",
                "rehearsals.details",
                "Shows how far the last rehearsal of a campaign or journey is, or what it has shown",
                Self.subject,
                answers: .success(RehearsalAnswer.fields)
            ) { try await details($0) },
            .post(
                "/rehearsals/stop",
                "rehearsals.stop",
                "Stops the rehearsal of a campaign or journey, if it is the one that is played",
                success: .accepted,
                takes: Schema.object(["campaign_id": .uuid, "journey_id": .uuid])
                    .needingOne(of: Self.subject.map(\.name))
            ) { call in
                let subject = try await subject(try call.reader(), in: call.workspace)
                try await rehearsals.stop(subject.id, in: call.workspace)
                return try JSONResponse.json(
                    JSONValue.object(["message": "success"]),
                    status: .accepted
                )
            },
        ]
    }

    private static let usualDays = 14
    private static let seeds = 0...1_000_000_000
    private static let subject = RESTEndpoint.Parameter.oneOf([
        .init(name: "campaign_id", schema: .uuid),
        .init(name: "journey_id", schema: .uuid, summary: "Instead of a campaign."),
    ])

    private func subject(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> (kind: RehearsalOrder.Kind, id: UUID, name: String) {
        guard reader.value("journey_id") != nil else {
            let campaign = try await CampaignReader(campaigns: campaigns)
                .campaign(reader, in: workspace)
            return (.campaign, campaign.apiID, campaign.content.name)
        }
        let journey = try await JourneyReader(journeys: journeys).journey(reader, in: workspace)
        return (.journey, journey.apiID, journey.draft.name)
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let subject = try await subject(reader, in: call.workspace)
        let order = RehearsalOrder(
            subject.kind,
            subject.id,
            name: subject.name,
            in: call.workspace,
            from: try reader.time("from") ?? now(),
            days: try reader.wholeNumber("days", rehearsals.limits.days) ?? Self.usualDays,
            seed: UInt64(try reader.wholeNumber("seed", Self.seeds) ?? 1)
        )
        try await rehearsals.begin(order, by: .key(call.key))
        return try JSONResponse.json(JSONValue.object(["message": "success"]), status: .accepted)
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let subject = try await subject(try call.reader(), in: call.workspace)
        let last = try await rehearsals.rehearsal(of: subject.id, in: call.workspace)
        return try JSONResponse.json(RehearsalAnswer.members(last))
    }
}

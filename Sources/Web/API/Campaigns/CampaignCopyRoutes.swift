import Campaigns
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/campaigns/duplicate`, and `/campaigns/url_info/details`, which lists the links of messages.
struct CampaignCopyRoutes: Sendable {
    private static let nameLimit = 250
    private static let noteLimit = 1_000
    private static let tagLimit = 50

    let campaigns: CampaignService

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/campaigns/duplicate",
                "campaigns.duplicate",
                "Makes a draft that is a copy of a campaign",
                success: .accepted,
                takes: .object([
                    "campaign_id": Schema.uuid.required,
                    "name": Schema.text(1...Self.nameLimit).required,
                    "description": Schema.text(0...Self.noteLimit).orNull,
                    "tag_names": Schema.list(
                        of: .text(1...Self.nameLimit),
                        limit: Self.tagLimit
                    ).described("The copy's tags; those of the campaign where there are none."),
                ]),
                answers: .success(["campaign_id": Schema.uuid.required])
            ) { try await duplicate($0) }.recordingItself,
            .get(
                "/campaigns/url_info/details",
                "campaigns.url_info.details",
                "Lists where a tap on a variant's message and its buttons leads",
                [
                    .init(name: "campaign_id", isRequired: true, schema: .uuid),
                    .init(name: "message_variation_id", isRequired: true, schema: .uuid),
                    .init(name: "includes_link_id", summary: "Only the links with this link_id."),
                ],
                answers: .success([
                    "channel": .constant("push").required, "name": Schema.text.required,
                    "link_data": Schema.list(
                        of: .object([
                            "link_URL": Schema.text.required.described("It may be a template."),
                            "link_id": Schema.text.required.described(
                                "'body', or the action of the button."
                            ),
                            "link_alias": Schema.text.required.described(
                                "The platform whose message it is and the link_id."
                            ),
                            "content_block_path_info": Schema.list(of: .text).required,
                        ])
                    ).required,
                ])
            ) { try await links($0) },
        ]
    }

    private func duplicate(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            reader,
            in: call.workspace
        )
        var tags: [String]?
        if reader.value("tag_names") != nil {
            tags = try reader.strings("tag_names", limit: Self.tagLimit)
            if let wrong = tags?.firstIndex(where: { !(1...Self.nameLimit).contains($0.count) }) {
                throw reader.problem(
                    "tag_names.\(wrong)",
                    .textLength,
                    ["first": "1", "last": "\(Self.nameLimit)"]
                )
            }
        }
        let copy = try await campaigns.duplicate(
            campaign,
            name: try reader.requiredPlainText("name", 1...Self.nameLimit),
            note: try reader.plainText("description", 0...Self.noteLimit),
            tags: tags,
            by: .key(call.key)
        )
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "campaign_id": .string(copy.apiID.uuidString.lowercased()),
            ]),
            status: .accepted
        )
    }

    private func links(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            reader,
            in: call.workspace
        )
        let id = UUID(uuidString: try reader.requiredString("message_variation_id"))
        guard let variant = campaign.content.variants.first(where: { $0.apiID == id }) else {
            throw reader.problem("message_variation_id", .noVariantID)
        }
        let wanted = try reader.string("includes_link_id")
        let links = variant.links.filter { wanted == nil || Self.id(of: $0) == wanted }
        return try JSONResponse.json([
            "message": "success", "channel": "push", "name": .string(variant.name),
            "link_data": .array(
                links.map { link in
                    [
                        "link_URL": .string(link.url), "link_id": .string(Self.id(of: link)),
                        "link_alias": .string(
                            "\(link.platform?.rawValue ?? "all").\(Self.id(of: link))"
                        ),
                        "content_block_path_info": [],
                    ]
                }
            ),
        ])
    }

    private static func id(of link: CampaignLink) -> String { link.action ?? "body" }
}

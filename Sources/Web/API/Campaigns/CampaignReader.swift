import Campaigns
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Finds the objects that a request identifies.
struct CampaignReader {
    let campaigns: CampaignService

    func campaign(_ reader: RequestReader, in workspace: WorkspaceID) async throws -> Campaign {
        let text = try reader.requiredString("campaign_id")
        guard let id = UUID(uuidString: text),
            let campaign = try await campaigns.campaign(apiID: id, in: workspace)
        else { throw reader.problem("campaign_id", .noCampaign) }
        return campaign
    }

    /// A `send_id`: up to 64 letters, digits, hyphens and underscores.
    static func trackingID(_ reader: RequestReader) throws(FieldProblem) -> String? {
        guard let text = try reader.string("send_id") else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, text.utf8.count <= 64 else {
            throw reader.problem("send_id", .trackingID, ["count": "64"])
        }
        return text
    }
}

import Foundation
import NoroshiOutbox
import NoroshiWire

extension NoroshiAdmin {
    /// A segment.
    public struct Segment: Sendable, Equatable, Decodable {
        /// The identifier for other calls.
        public var id: String
        /// The name.
        public var name: String
        /// The tags.
        public var tags: [String]?
    }

    /// The details of a segment.
    public struct SegmentDetails: Sendable, Equatable, Decodable {
        /// The name.
        public var name: String
        /// The filters as readable text.
        public var description: String?
        /// The tags.
        public var tags: [String]?
    }

    /// A campaign.
    public struct Campaign: Sendable, Equatable, Decodable {
        /// The identifier for other calls.
        public var id: String
        /// The name.
        public var name: String
        /// Whether it is sent by calls of the API.
        public var isApiCampaign: Bool?
        /// The tags.
        public var tags: [String]?
    }

    /// The segments, 100 a page from page 0 on: `GET /segments/list`.
    public func segments(page: Int = 0) async throws -> [Segment] {
        let list: SegmentList = try await get("segments/list", query: ["page": "\(page)"])
        return list.segments
    }

    /// The details of a segment: `GET /segments/details`.
    public func segment(_ id: String) async throws -> SegmentDetails {
        try await get("segments/details", query: ["segment_id": id])
    }

    /// The campaigns, 100 a page from page 0 on: `GET /campaigns/list`.
    public func campaigns(page: Int = 0) async throws -> [Campaign] {
        let list: CampaignList = try await get("campaigns/list", query: ["page": "\(page)"])
        return list.campaigns
    }

    /// The history of a campaign, a row for each of the last `days` days, 1 to 100, in the form of
    /// `GET /campaigns/data_series`: `time`, `unique_recipients`, `messages` and so on.
    public func history(
        ofCampaign id: String,
        days: Int
    ) async throws -> [[String: JSONValue]] {
        let series: Series = try await get(
            "campaigns/data_series",
            query: ["campaign_id": id, "length": "\(days)"]
        )
        return series.data
    }

    /// The history of one send of a campaign: `GET /sends/data_series`.
    public func history(
        ofSend sendID: String,
        campaign id: String,
        days: Int
    ) async throws -> [[String: JSONValue]] {
        let series: Series = try await get(
            "sends/data_series",
            query: ["campaign_id": id, "send_id": sendID, "length": "\(days)"]
        )
        return series.data
    }

    private struct SegmentList: Decodable {
        var segments: [Segment]
    }

    private struct CampaignList: Decodable {
        var campaigns: [Campaign]
    }

    private struct Series: Decodable {
        var data: [[String: JSONValue]]
    }
}

import Foundation

/// A saved audience.
package struct StoredSegment: Sendable, Hashable {
    package var id: SegmentID
    package var workspace: WorkspaceID
    /// `segment_id` in the REST API.
    package var apiID: UUID
    package var content: SegmentContent
    package var createdAt: Date
    package var updatedAt: Date
    /// The time of archiving; `nil` while the segment is offered. Scheduled sends to an archived
    /// segment are not created.
    package var archivedAt: Date?

    package init(
        id: SegmentID,
        workspace: WorkspaceID,
        apiID: UUID,
        content: SegmentContent,
        createdAt: Date,
        updatedAt: Date,
        archivedAt: Date? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.apiID = apiID
        self.content = content
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.archivedAt = archivedAt
    }
}

/// The content of a segment.
package struct SegmentContent: Sendable, Hashable {
    package var name: String
    package var description: String
    /// The JSON form of the segment language.
    package var definition: String
    /// The name of the member or API key that changed it last.
    package var author: String

    package init(name: String, description: String = "", definition: String, author: String) {
        self.name = name
        self.description = description
        self.definition = definition
        self.author = author
    }
}

/// A list of users uploaded by a member.
package struct UploadedList: Sendable, Hashable {
    package var id: UserListID
    package var workspace: WorkspaceID
    package var name: String
    package var author: String
    package var users: Int
    package var updatedAt: Date

    package init(
        id: UserListID,
        workspace: WorkspaceID,
        name: String,
        author: String,
        users: Int,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.author = author
        self.users = users
        self.updatedAt = updatedAt
    }
}

/// Number of users of a segment on a day.
package struct SegmentSize: Sendable, Hashable {
    /// Days since 1970, in the workspace's time zone.
    package var day: Int
    package var users: Int

    package init(day: Int, users: Int) {
        self.day = day
        self.users = users
    }
}

/// A campaign, as filters refer to it.
package struct CampaignReference: Sendable, Hashable {
    package var id: CampaignID
    /// `campaign_id` in the REST API.
    package var apiID: UUID
    package var name: String

    package init(id: CampaignID, apiID: UUID, name: String) {
        self.id = id
        self.apiID = apiID
        self.name = name
    }
}

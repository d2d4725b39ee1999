import Foundation
import NoroshiWire
import Reasons

/// A question that a workspace's members ask again and again, by a name.
package struct SavedReport: Sendable, Hashable {
    package static let nameLimit = 100
    /// The most of a workspace.
    package static let limit = 200

    package var id: UUID
    package var workspace: WorkspaceID
    package var content: Content
    /// The name of the member or API key that saved it first.
    package var author: String
    package var createdAt: Date
    package var updatedAt: Date
    /// `nil` if it is sent to nobody.
    package var delivery: Delivery?

    package struct Content: Sendable, Hashable {
        package var name: String
        /// The kind of report, as `/reports/…` call it.
        package var kind: String
        /// The question in the terms of the REST API, without the end of its period.
        package var question: [String: JSONValue]
        package var isOnOverview: Bool
        package var schedule: Schedule?

        package init(
            name: String,
            kind: String,
            question: [String: JSONValue],
            isOnOverview: Bool = false,
            schedule: Schedule? = nil
        ) {
            self.name = name
            self.kind = kind
            self.question = question
            self.isOnOverview = isOnOverview
            self.schedule = schedule
        }
    }

    /// Where a report is sent every week.
    package struct Schedule: Sendable, Hashable, Codable {
        package var address: String
        /// ISO 8601: Monday is 1.
        package var weekday: Int
        package var time: TimeOfDay

        package init(address: String, weekday: Int, time: TimeOfDay) {
            self.address = address
            self.weekday = weekday
            self.time = time
        }
    }

    /// How it is sent.
    package struct Delivery: Sendable, Hashable {
        /// The week's moment that is sent next, or is being sent.
        package var occurrence: Date
        /// When it is tried next.
        package var dueAt: Date
        /// How often this occurrence was tried without success.
        package var attempts: Int
        /// When it last arrived.
        package var sentAt: Date?
        /// Why the last attempt failed; `nil` if it did not.
        package var problem: Reason?

        package init(
            occurrence: Date,
            dueAt: Date? = nil,
            attempts: Int = 0,
            sentAt: Date? = nil,
            problem: Reason? = nil
        ) {
            self.occurrence = occurrence
            self.dueAt = dueAt ?? occurrence
            self.attempts = attempts
            self.sentAt = sentAt
            self.problem = problem
        }
    }

    package init(
        id: UUID,
        workspace: WorkspaceID,
        content: Content,
        author: String,
        createdAt: Date,
        updatedAt: Date,
        delivery: Delivery? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.content = content
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.delivery = delivery
    }
}

import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons

/// `/workspace/control_group`: the users who get no campaign's messages.
struct ControlGroupRoutes: Sendable {
    let limits: LimitService
    let audience: SegmentationService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/workspace/control_group",
                "workspace.control_group",
                "Tells which share of the users gets no campaign's messages, and how many they are",
                answers: Self.group
            ) { call in try await show(call) },
            .post(
                "/workspace/control_group/update",
                "workspace.control_group.update",
                "Changes the share of users who get no campaign's messages",
                success: .ok,
                takes: .object([
                    "share": Schema.integer(0...ControlGroup.shares.upperBound).required
                        .described(
                            "A percentage; 0 for no such group. A larger one keeps its members."
                        ),
                    "redraw": Schema.bool.described("Whether other users are drawn."),
                ]),
                answers: Self.group
            ) { try await change($0) }.recordingItself,
        ]
    }

    private static let group = Schema.success([
        "share": Schema.integer(0...ControlGroup.shares.upperBound).required
            .described("0 without such a group."),
        "since": Schema.time.orNull.required,
        "users": Schema.count.required.described("Its members now."),
    ])

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        let group = try await limits.limits(of: call.workspace).controlGroup
        let users = try await audience.select(.controlGroup, in: call.workspace).count().users
        return try JSONResponse.json([
            "message": "success", "share": .integer(Int64(group?.share ?? 0)),
            "since": group.map { .string(Timestamp.format($0.since)) } ?? .null,
            "users": .integer(Int64(users)),
        ])
    }

    private func change(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        guard let share = try body.wholeNumber("share", 0...ControlGroup.shares.upperBound) else {
            throw body.problem("share", .required)
        }
        _ = try await limits.saveControlGroup(
            share: share,
            redraws: try body.flag("redraw") ?? false,
            by: .key(call.key)
        )
        return try await show(call)
    }
}

import Foundation

/// A dispatch as shown in a report.
package struct DispatchReport: Sendable, Hashable {
    package var profile: ProfileID
    package var userName: String
    package var device: String
    package var state: DispatchState
    package var reason: String?
    package var receivedAt: Date?
    /// When the push was opened, directly or by an influenced session.
    package var openedAt: Date?
    package var dismissedAt: Date?
    package var updatedAt: Date

    package init(
        profile: ProfileID,
        userName: String,
        device: String,
        state: DispatchState,
        reason: String?,
        receivedAt: Date?,
        openedAt: Date?,
        dismissedAt: Date?,
        updatedAt: Date
    ) {
        self.profile = profile
        self.userName = userName
        self.device = device
        self.state = state
        self.reason = reason
        self.receivedAt = receivedAt
        self.openedAt = openedAt
        self.dismissedAt = dismissedAt
        self.updatedAt = updatedAt
    }
}

package struct DispatchListRow: Sendable, Hashable {
    package var device: DeviceID
    package var report: DispatchReport

    package init(device: DeviceID, report: DispatchReport) {
        self.device = device
        self.report = report
    }
}

/// A filter on dispatches.
package enum DispatchFilter: Sendable, Hashable {
    case all
    case state(DispatchState)
    /// Rejected or skipped for this reason.
    case reason(String)
    /// Opened directly or influenced.
    case opened
    case received, openedDirectly, influenced, dismissed
}

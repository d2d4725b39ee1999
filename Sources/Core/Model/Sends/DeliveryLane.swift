/// One app's pushes to one provider: the unit that is throttled and suspended independently of the
/// others.
///
/// Wrong credentials or an outage suspend only the affected lanes.
package struct DeliveryLane: Sendable, Hashable, Codable, CustomStringConvertible {
    package var app: AppID
    package var provider: PushProvider

    package init(app: AppID, provider: PushProvider) {
        self.app = app
        self.provider = provider
    }

    /// The lane as one number, which is stored: never renumber the providers.
    package var number: Int64 { app.rawValue * 8 + provider.laneNumber }

    /// `nil` for a number that names no provider.
    package init?(number: Int64) {
        guard
            let provider = PushProvider.allCases.first(where: { $0.laneNumber == number % 8 })
        else { return nil }
        self.init(app: AppID(number / 8), provider: provider)
    }

    package var description: String { "\(provider.rawValue) of app \(app)" }
}

extension PushProvider {
    package var laneNumber: Int64 {
        switch self {
        case .apns: 1
        case .fcm: 2
        case .webPush: 3
        }
    }
}

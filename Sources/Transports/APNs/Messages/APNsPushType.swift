/// The value of `apns-push-type`.
package enum APNsPushType: String, Sendable, Hashable, CaseIterable {
    case alert, background, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip
    case widgets, complication

    /// The suffix after the bundle identifier in `apns-topic`.
    package var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .liveactivity: ".push-type.liveactivity"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        }
    }

    /// Maximum number of bytes that Apple accepts as a payload.
    package var payloadLimit: Int { self == .voip ? 5120 : 4096 }

    /// Whether Apple requires a token (p8) and rejects a certificate.
    package var needsToken: Bool { self == .liveactivity || self == .location }
}

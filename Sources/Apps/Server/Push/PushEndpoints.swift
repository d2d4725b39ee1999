import APNs
import FCM
import Foundation
import PushHTTP
import Reasons
import WebPush

/// The addresses of the push providers' servers: the real ones, or simulators.
package struct PushEndpoints: Sendable {
    package var apns: APNsConfiguration
    package var fcm: FCMConfiguration
    package var webPush: WebPushEndpointPolicy
    /// How long one key pair is used to encrypt for browsers; zero means one message.
    package var webPushKeyLifetime: Duration = .zero

    package init(
        apns: APNsConfiguration = APNsConfiguration(),
        fcm: FCMConfiguration = FCMConfiguration(style: .dataOnly),
        webPush: WebPushEndpointPolicy = WebPushEndpointPolicy()
    ) {
        self.apns = apns
        self.fcm = fcm
        self.webPush = webPush
    }
}

extension Settings {
    /// The servers that the settings name.
    ///
    /// - Throws: `SettingError` if an address or an authority is invalid.
    func pushServers() throws -> PushEndpoints {
        var servers = PushEndpoints()
        if let apnsServer {
            let (host, port) = try Settings.address(apnsServer, key: "apns-server")
            let trust = try trust(apnsAuthorityPath, key: "apns-authority")
            servers.apns = .single(APNsConfiguration.Server(host: host, port: port, trust: trust))
        }
        servers.fcm.style = fcmStyle
        servers.fcm.channelID = fcmChannel
        if let fcmServer {
            let (host, port) = try Settings.address(fcmServer, key: "fcm-server")
            let trust = try trust(fcmAuthorityPath, key: "fcm-authority")
            let endpoint = PushHTTPEndpoint(
                host: host,
                port: port,
                security: .tls(trust: trust, identity: nil)
            )
            servers.fcm.server = endpoint
            servers.fcm.tokenServer = endpoint
        }
        servers.webPush.allowedHosts += webPushHosts
        servers.webPushKeyLifetime = .seconds(webPushKeyLifetime)
        if let webPushServer {
            let (host, port) = try Settings.address(webPushServer, key: "webpush-server")
            let trust = try trust(webPushAuthorityPath, key: "webpush-authority")
            let name = host.contains(":") ? "[\(host)]" : host
            let origin = port == 443 ? "https://\(name)" : "https://\(name):\(port)"
            servers.webPush.simulators[origin] = trust
        }
        return servers
    }

    private func trust(_ path: String?, key: String) throws -> TrustRoots {
        guard let path else { return .system }
        guard let pem = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw SettingError(key, .unreadable, ["path": .text(path)])
        }
        return .authorities(pem: pem)
    }
}

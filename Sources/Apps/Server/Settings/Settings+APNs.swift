import APNs
import Foundation
import PushHTTP

extension Settings {
    /// Apple's servers, or the one that the settings name in their place, such as a simulator.
    ///
    /// - Throws: `Problem` when the address or the authority cannot be used.
    func apnsConfiguration() throws -> APNsConfiguration {
        guard let apnsServer else { return APNsConfiguration() }
        let (host, port) = try Settings.address(apnsServer, key: "apns-server")
        var trust = PushTrust.system
        if let path = apnsAuthorityPath {
            guard let pem = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw Problem(
                    key: "apns-authority",
                    message: "names \(path), which cannot be read"
                )
            }
            trust = .authorities(pem: pem)
        }
        return .single(APNsConfiguration.Server(host: host, port: port, trust: trust))
    }
}

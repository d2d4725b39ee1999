import Configuration
import Front
import Reasons

/// Where the certificate of the server is, and what follows from having one.
package struct TLSSettings: Sendable, Hashable {
    package var certificatePath: String
    package var keyPath: String
    /// For how many days browsers come back by HTTPS only; 0 does not tell them so.
    package var hstsDays = 365
    /// Where requests without encryption are led to HTTPS; `nil` if nowhere.
    package var redirectHost: String?
    package var redirectPort = 80

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    static func read(_ config: ConfigReader) throws -> TLSSettings? {
        let keys = ["tls-certificate", "tls-key", "hsts-days", "redirect-listen"]
        let given = keys.filter { config.string(forKey: ConfigKey([$0])) != nil }
        guard let first = given.first else { return nil }
        guard let certificate = config.string(forKey: "tls-certificate") else {
            throw SettingError(first, .withoutCertificate)
        }
        guard let key = config.string(forKey: "tls-key") else {
            throw SettingError("tls-certificate", .certificateWithoutKey)
        }
        var tls = TLSSettings(certificatePath: certificate, keyPath: key)
        tls.hstsDays = try Settings.count(
            config,
            "hsts-days",
            from: 0,
            upTo: 3_650,
            default: tls.hstsDays
        )
        if let text = config.string(forKey: "redirect-listen") {
            (tls.redirectHost, tls.redirectPort) = try Settings.address(
                text,
                key: "redirect-listen"
            )
        }
        return tls
    }
}

import Foundation
import Model
import Reasons
import _CryptoExtras

/// A Firebase service account, as its JSON file holds it.
package struct FCMCredentials: Sendable, Hashable, Codable {
    package var projectID: String
    package var clientEmail: String
    package var privateKeyID: String
    /// The RSA key in PEM.
    package var privateKey: String
    package var tokenURI: String

    private enum CodingKeys: String, CodingKey {
        case projectID = "project_id"
        case clientEmail = "client_email"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case tokenURI = "token_uri"
    }

    /// Reads the file that the Firebase console gives out.
    package init(serviceAccount json: [UInt8]) throws(CredentialError) {
        if let kind = ForeignFile(json) {
            throw CredentialError(.accountFile, ["name": .text(kind.name)])
        }
        do {
            self = try JSONDecoder().decode(FCMCredentials.self, from: Data(json))
        } catch DecodingError.keyNotFound(let key, _) {
            throw CredentialError(.accountWithout, ["name": .text(key.stringValue)])
        } catch {
            throw CredentialError(.noAccount)
        }
        for (name, value) in [
            ("project_id", projectID), ("client_email", clientEmail), ("private_key", privateKey),
        ] where value.isEmpty {
            throw CredentialError(.accountWithout, ["name": .text(name)])
        }
        guard projectID.utf8.allSatisfy(Self.isProjectCharacter) else {
            throw CredentialError(.project, ["name": .text(projectID)])
        }
        guard (try? _RSA.Signing.PrivateKey(pemRepresentation: privateKey)) != nil else {
            throw CredentialError(.accountKey)
        }
    }

    private static func isProjectCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Another file from Google that is often mistaken for a service account.
    private struct ForeignFile {
        private struct Members: Decodable {
            struct Anything: Decodable {}

            var type: String?
            var project_info: Anything?
            var installed: Anything?
            var web: Anything?
        }

        let name: String

        init?(_ json: [UInt8]) {
            guard let members = try? JSONDecoder().decode(Members.self, from: Data(json)) else {
                return nil
            }
            if members.project_info != nil {
                name = "the app's google-services.json"
            } else if members.installed != nil || members.web != nil {
                name = "an OAuth client's JSON"
            } else if let type = members.type, type != "service_account" {
                name = "a JSON file of the type \"\(type)\""
            } else {
                return nil
            }
        }
    }
}

/// Finds an app's service account; nil when it has none.
package typealias FCMCredentialLookup = @Sendable (AppID) async throws -> FCMCredentials?

import Foundation
import Model
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

    /// Reads the file that the Firebase console provides.
    package init(serviceAccount json: [UInt8]) throws(FCMCredentialError) {
        if let kind = ForeignFile(json) { throw .otherFile(kind.name) }
        do {
            self = try JSONDecoder().decode(FCMCredentials.self, from: Data(json))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .missing(key.stringValue)
        } catch {
            throw .notServiceAccount
        }
        for (name, value) in [
            ("project_id", projectID), ("client_email", clientEmail), ("private_key", privateKey),
        ] where value.isEmpty {
            throw .missing(name)
        }
        guard projectID.utf8.allSatisfy(Self.isProjectCharacter) else {
            throw .badProject(projectID)
        }
        guard (try? _RSA.Signing.PrivateKey(pemRepresentation: privateKey)) != nil else {
            throw .badKey
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

/// The reason why a service account cannot be used, and how to fix it.
package enum FCMCredentialError: Error, Hashable, CustomStringConvertible {
    case absent
    case notServiceAccount
    case otherFile(String)
    case missing(String)
    case badProject(String)
    case badKey
    case refused(String)

    private static let source =
        "Firebase console: Project settings, Service accounts, Generate new private key."

    package var description: String {
        switch self {
        case .absent:
            "The app has no Firebase service account. Upload its JSON in the app's settings."
        case .notServiceAccount:
            "The file is not a service account's JSON. Download one in the \(Self.source)"
        case .otherFile(let name):
            """
            The file is \(name), not a service account's JSON. Download one in the \
            \(Self.source)
            """
        case .missing(let name):
            "The service account's JSON has no \(name). Download it again from Firebase."
        case .badProject(let name):
            "The project id \"\(name)\" has characters that no project id has."
        case .badKey:
            "The service account's private_key is not an RSA key in PEM. Download it again."
        case .refused(let detail):
            """
            Google does not accept the service account: \(detail). Check that it has not been \
            deleted and that this server's clock is right.
            """
        }
    }
}

/// Looks up an app's service account; `nil` if it has none.
package typealias FCMCredentialLookup = @Sendable (AppID) async throws -> FCMCredentials?

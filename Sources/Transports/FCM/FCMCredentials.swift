import Foundation

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
    package init(serviceAccount json: [UInt8]) throws(FCMCredentialError) {
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
}

/// Why a service account cannot be used, and what to do about it.
package enum FCMCredentialError: Error, Hashable, CustomStringConvertible {
    case notServiceAccount
    case missing(String)
    case badProject(String)
    case badKey
    case refused(String)

    package var description: String {
        switch self {
        case .notServiceAccount:
            """
            The file is not a service account's JSON. Download one in the Firebase console: \
            Project settings, Service accounts, Generate new private key.
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

/// Finds the service account of a Firebase project; nil when there is none.
package typealias FCMCredentialLookup =
    @Sendable (_ project: String) async throws -> FCMCredentials?

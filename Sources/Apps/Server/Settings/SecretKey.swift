import Credentials
import Crypto
import Foundation
import Ports
import Reasons
import StoreSQL

/// The key that encrypts providers' credentials, kept in a file only its owner can read.
package enum SecretKey {
    /// The content of the key file, if it holds a key.
    ///
    /// - Throws: `SettingError`.
    static func text(path: String) throws -> Data {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw SettingError(
                "secret-key-file",
                .secretKeyMissing,
                ["path": .text(path)]
            )
        }
        _ = try load(path: path, random: { _ in [] })
        return text
    }

    /// The key of a server or a command. A new one is made beside a file only: another server of a
    /// database of PostgreSQL could not open what is encrypted with it.
    ///
    /// - Throws: `SettingError` if the file is not given or cannot be read, written or used.
    package static func load(
        _ settings: Settings,
        random: @Sendable (Int) -> [UInt8]
    ) throws -> SymmetricKey {
        let path = settings.secretKeyPath
        if settings.database.path == nil {
            guard !path.isEmpty else {
                throw SettingError("secret-key-file", .secretKeyOfPostgres)
            }
            guard FileManager.default.fileExists(atPath: path) else {
                throw SettingError(
                    "secret-key-file",
                    .secretKeyNotThere,
                    ["path": .text(path)]
                )
            }
        }
        return try load(path: path, random: random)
    }

    /// Refuses a key that is not the one of the database.
    ///
    /// - Throws: `SettingError` if the secrets in the database are encrypted with another one.
    package static func check(
        _ key: SymmetricKey,
        with store: any SecretKeyStore,
        _ settings: Settings
    ) async throws {
        guard try await !KeyOfSecrets(store: store, key: key).isOfDatabase() else { return }
        throw SettingError(
            "secret-key-file",
            .secretKeyOfOther,
            ["path": .text(settings.secretKeyPath), "database": .text(settings.database.name)]
        )
    }

    /// Reads the key; creates the file at the first start.
    ///
    /// - Throws: `SettingError` if the file cannot be read, written or used.
    package static func load(
        path: String,
        random: @Sendable (Int) -> [UInt8]
    ) throws -> SymmetricKey {
        if FileManager.default.fileExists(atPath: path) {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let data = Data(
                    base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)
                ),
                data.count == 32
            else {
                throw SettingError("secret-key-file", .secretKey, ["path": .text(path)])
            }
            return SymmetricKey(data: data)
        }
        let data = Data(random(32))
        let text = Data((data.base64EncodedString() + "\n").utf8)
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: text,
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw SettingError("secret-key-file", .unwritable, ["path": .text(path)])
        }
        return SymmetricKey(data: data)
    }
}

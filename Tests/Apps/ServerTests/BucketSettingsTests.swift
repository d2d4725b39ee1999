import Foundation
import ObjectStorage
import Server
import Testing

@Suite("Settings of buckets")
struct BucketSettingsTests {
    private static let keys = [
        "AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "secret",
        "NOROSHI_BACKUP_PASSPHRASE": "correct horse battery",
    ]

    private func load(
        _ options: [String: String] = [:],
        _ environment: [String: String] = keys
    ) async throws -> Settings {
        try await Settings.load(
            options: options,
            configurationFile: nil,
            environment: environment
        )
    }

    private func problem(
        _ options: [String: String],
        _ environment: [String: String] = keys
    ) async -> String? {
        do {
            _ = try await load(options, environment)
            return nil
        } catch {
            return (error as? SettingError)?.key
        }
    }

    @Test("a place is a folder or a bucket, which is Amazon's unless an endpoint is named")
    func places() async throws {
        let own = try await load(["backup-folder": "s3://tea/house"])
        #expect(own.backups?.place.description == "s3://tea/house")
        #expect(
            own.backups?.place
                == .bucket(
                    BackupBucket(
                        address: try BucketAddress("s3://tea/house"),
                        access: BucketAccess(
                            endpoint: BucketEndpoint(region: "us-east-1"),
                            credentials: BucketCredentials(keyID: "AKIDTEST", secret: "secret")
                        )
                    )
                )
        )
        let folder = try await load(["backup-folder": "/var/backups"])
        #expect(folder.backups?.place == .folder("/var/backups"))
        let named = try await load([
            "s3-endpoint": "https://store.example", "s3-region": "auto",
        ])
        #expect(
            try BackupPlace("s3://tea", buckets: named.buckets)
                == .bucket(
                    BackupBucket(
                        address: try BucketAddress("s3://tea"),
                        access: BucketAccess(
                            endpoint: try BucketEndpoint(
                                url: "https://store.example",
                                region: "auto",
                                usesPaths: true
                            ),
                            credentials: BucketCredentials(keyID: "AKIDTEST", secret: "secret")
                        )
                    )
                )
        )
    }

    @Test("the names of Amazon's own programs are read, and a file comes before them")
    func credentials() async throws {
        var environment = Self.keys
        environment["AWS_SESSION_TOKEN"] = "token"
        environment["AWS_DEFAULT_REGION"] = "eu-west-1"
        let read = try await load([:], environment).buckets
        #expect(read.region == "eu-west-1")
        #expect(
            read.credentials
                == BucketCredentials(keyID: "AKIDTEST", secret: "secret", token: "token")
        )
        let file = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-credentials-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try "[default]\naws_access_key_id = FILE\naws_secret_access_key = other\n"
            .write(to: file, atomically: true, encoding: .utf8)
        let given = try await load(["s3-credentials-file": file.path], environment).buckets
        #expect(given.credentials == BucketCredentials(keyID: "FILE", secret: "other"))
        #expect(!String(reflecting: try await load([:], environment)).contains("secret\""))
    }

    @Test("what cannot be is named by its key")
    func problems() async throws {
        #expect(await problem([:], [:]) == nil)
        #expect(await problem(["backup-folder": "s3://Tea"]) == "backup-folder")
        #expect(await problem(["s3-endpoint": "store.example"]) == "s3-endpoint")
        #expect(await problem(["s3-region": "Frankfurt am Main"]) == "s3-region")
        #expect(await problem(["s3-path-style": "maybe"]) == "s3-path-style")
        #expect(await problem(["s3-credentials-file": "/nothing"]) == "s3-credentials-file")
        let none = Self.keys.filter { !$0.key.hasPrefix("AWS") }
        #expect(
            await problem(["backup-folder": "s3://tea"], none) == "s3-credentials-file"
        )
    }
}

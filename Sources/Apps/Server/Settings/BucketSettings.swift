import Configuration
import Foundation
import ObjectStorage
import Reasons

/// Where the buckets are that settings and commands name as `s3://…`, and who uses them.
package struct BucketSettings: Sendable, Hashable {
    /// The store's address; `nil` for Amazon's of the region.
    package var endpoint: String?
    package var region = "us-east-1"
    /// Whether the bucket is in the path; `nil` where it is usual, which is everywhere but at Amazon's.
    package var usesPaths: Bool?
    package var credentials: BucketCredentials?

    package init() {}

    /// - Parameter environment: Has the names that Amazon's own programs read.
    /// - Throws: `SettingError`.
    static func read(
        _ config: ConfigReader,
        environment: [String: String]
    ) throws -> BucketSettings {
        var settings = BucketSettings()
        settings.region =
            config.string(forKey: "s3-region") ?? environment["AWS_REGION"]
            ?? environment["AWS_DEFAULT_REGION"] ?? settings.region
        guard settings.region.wholeMatch(of: /[a-z0-9-]{1,40}/) != nil else {
            throw SettingError(
                "s3-region",
                .bucketRegion,
                ["value": .text(settings.region)]
            )
        }
        settings.endpoint = config.string(forKey: "s3-endpoint")
        if let endpoint = settings.endpoint {
            do {
                _ = try BucketEndpoint(url: endpoint, region: settings.region)
            } catch {
                throw SettingError(
                    "s3-endpoint",
                    .bucketEndpoint,
                    ["value": .text(endpoint)]
                )
            }
        }
        if config.string(forKey: "s3-path-style") != nil {
            settings.usesPaths = try Settings.flag(config, "s3-path-style", default: true)
        }
        settings.credentials = try credentials(config, environment)
        return settings
    }

    private static func credentials(
        _ config: ConfigReader,
        _ environment: [String: String]
    ) throws -> BucketCredentials? {
        if let path = config.string(forKey: "s3-credentials-file") {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let credentials = BucketCredentials(file: text)
            else {
                throw SettingError(
                    "s3-credentials-file",
                    .bucketCredentials,
                    ["path": .text(path)]
                )
            }
            return credentials
        }
        guard let keyID = environment["AWS_ACCESS_KEY_ID"], !keyID.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else { return nil }
        return BucketCredentials(
            keyID: keyID,
            secret: secret,
            token: environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    /// - Throws: `SettingError` if there are no credentials.
    func access() throws -> BucketAccess {
        guard let credentials else {
            throw SettingError("s3-credentials-file", .bucketCredentialsMissing)
        }
        guard let endpoint else {
            return BucketAccess(
                endpoint: BucketEndpoint(region: region, usesPaths: usesPaths ?? false),
                credentials: credentials
            )
        }
        return BucketAccess(
            endpoint: try BucketEndpoint(
                url: endpoint,
                region: region,
                usesPaths: usesPaths ?? true
            ),
            credentials: credentials
        )
    }
}

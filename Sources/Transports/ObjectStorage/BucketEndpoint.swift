import Foundation

/// The server that has the buckets, and how they are named there.
package struct BucketEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// Where a request for something in a bucket goes.
    struct Target {
        /// With the port, if the scheme does not tell it.
        var host: String
        /// What every path begins with, percent-encoded; without a slash at its end.
        var path: String
    }

    package let region: String
    /// Whether the bucket is the first part of the path; otherwise it is that of the host.
    package let usesPaths: Bool
    let scheme: String
    private let host: String
    private let basePath: String

    /// Amazon's own of a region.
    package init(region: String, usesPaths: Bool = false) {
        self.region = region
        self.usesPaths = usesPaths
        scheme = "https"
        host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        basePath = ""
    }

    /// - Parameter url: Begins with `https://`, or with `http://` where nothing is encrypted.
    /// - Throws: `BucketError.endpoint`.
    package init(url: String, region: String, usesPaths: Bool = true) throws(BucketError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { throw .endpoint(url) }
        self.scheme = scheme
        let standard = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        self.host = host.lowercased() + port
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        basePath = path
        self.region = region
        self.usesPaths = usesPaths
    }

    func target(_ bucket: String) -> Target {
        // A certificate for all names below the endpoint's is not for names with another dot.
        usesPaths || bucket.contains(".")
            ? Target(host: host, path: basePath + "/" + bucket)
            : Target(host: bucket + "." + host, path: basePath)
    }

    package var description: String { "\(scheme)://\(host)\(basePath)" }
}

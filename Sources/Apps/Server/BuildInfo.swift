import CBuildInfo
import NoroshiWire

/// What was built.
package enum BuildInfo {
    /// The commit, where the build names it: packages do, builds out of a work tree do not.
    package static let commit: String? = {
        let text = String(cString: noroshi_build_commit())
        return text.isEmpty ? nil : text
    }()

    /// Such as `0.2.0`, or `0.2.0 (74e538f8)`.
    package static let version =
        NoroshiVersion.current + (commit.map { " (\($0.prefix(8)))" } ?? "")
}

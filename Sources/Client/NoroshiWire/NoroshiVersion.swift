/// The version of Noroshi: of the server, and of the SDK, which sends it with every batch.
public enum NoroshiVersion {
    /// Semantic version (semver.org).
    public static let current = "0.2.0"
}

/// The version of this SDK, sent with every batch.
public enum NoroshiVersion {
    /// Semantic version.
    public static let current = "0.1.0"
}

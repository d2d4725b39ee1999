import Model

/// Measures the size of a message for a push provider.
package struct PayloadMeter: Sendable {
    /// Maximum size that the provider accepts, in bytes.
    package var limit: Int
    package var bytes: @Sendable (PushMessage) -> Int

    package init(limit: Int, bytes: @escaping @Sendable (PushMessage) -> Int) {
        self.limit = limit
        self.bytes = bytes
    }
}

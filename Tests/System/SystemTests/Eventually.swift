import Testing

/// Asks until the answer is yes; a test that has waited ten minutes in vain ends.
func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while try await !isSo() {
        guard ContinuousClock.now < end else {
            Issue.record("waited in vain: \(what)")
            throw CancellationError()
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

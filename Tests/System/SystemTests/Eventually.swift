import Testing

/// Asks until the answer is yes; a test that has waited a minute in vain ends.
func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !isSo() {
        guard ContinuousClock.now < end else {
            Issue.record("waited in vain: \(what)")
            throw CancellationError()
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

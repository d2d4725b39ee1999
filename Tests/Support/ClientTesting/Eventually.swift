import Foundation

/// Waits until `condition` holds; `false` if it does not within `seconds`.
package func eventually(
    within seconds: TimeInterval = 600,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async -> Bool
) async -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if await condition() { return true }
        do {
            try await Task.sleep(nanoseconds: 5_000_000)
        } catch {
            return false  // The test was cancelled.
        }
    }
    return await condition()
}

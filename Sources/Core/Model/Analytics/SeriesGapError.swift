import Foundation

/// The requested time precedes the recording of the necessary data, so that it cannot be counted.
package struct SeriesGapError: Error, Sendable, Hashable {
    /// The time from which on it can be counted.
    package var since: Date

    package init(since: Date) {
        self.since = since
    }
}

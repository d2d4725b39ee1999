import Foundation

/// Why a figure cannot be had for the time that was asked for: rows from before do not say it.
package struct SeriesGap: Error, Sendable, Hashable {
    /// From when on it can.
    package var since: Date

    package init(since: Date) {
        self.since = since
    }
}

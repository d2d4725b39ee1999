import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Backs the server up again and again, while it runs.
///
/// What is due follows from the backups that are there, so a restart neither skips one nor makes one
/// too many. A folder is looked at again and again; a bucket at the start, and when one is due.
package final class BackupSchedule: Service {
    private struct State {
        var retryAt = Date.distantPast
        var failures = 0
        var newest: Date?
    }

    /// How long to wait after a failure.
    private static let retryPause: TimeInterval = 15 * 60
    /// Interval between looks at the clock, which may be set.
    private static let pause: Duration = .seconds(30)

    private let settings: BackupSettings
    private let writer: BackupWriter
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    package init(
        settings: BackupSettings,
        writer: BackupWriter,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.settings = settings
        self.writer = writer
        self.now = now
        self.logger = logger
    }

    /// When the newest backup was written, as it was found last; `nil` if there is none.
    package var newest: Date? { state.withLock(\.newest) }

    /// Number of backups that could not be written, since the start.
    package var failures: Int { state.withLock(\.failures) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.writeIfDue()
                // Cancellation ends the sleep, and with it the loop.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Writes a backup if the newest one is old enough, or lies in the future of a clock that was
    /// set back.
    package func writeIfDue() async {
        let moment = now()
        guard moment >= state.withLock(\.retryAt) else { return }
        do {
            guard try await isDue(moment) else { return }
            let backup = try await writer.write(
                to: settings.place,
                passphrase: settings.passphrase,
                keep: settings.keep
            )
            state.withLock { $0.newest = backup.manifest.createdAt }
            logger.notice("a backup is written", metadata: ["backup.path": "\(backup.address)"])
        } catch {
            state.withLock { state in
                state.failures += 1
                state.retryAt = moment.addingTimeInterval(Self.retryPause)
            }
            logger.error(
                "no backup could be written; the next try is in a quarter of an hour",
                metadata: ["backup.error": "\(error)"]
            )
        }
    }

    private func isDue(_ moment: Date) async throws -> Bool {
        if !settings.place.isLocal, isRecent(newest, moment) { return false }
        let found = try await settings.place.newest(now: now)
        state.withLock { $0.newest = found }
        return !isRecent(found, moment)
    }

    private func isRecent(_ newest: Date?, _ moment: Date) -> Bool {
        guard let newest, newest <= moment else { return false }
        return moment < newest.addingTimeInterval(Double(settings.hours) * 3600)
    }
}

import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    private func quota(_ name: String, _ limit: Int, unlessKnown: String? = nil) -> SignInQuota {
        SignInQuota(
            subject: Data(name.utf8),
            limit: limit,
            window: 900,
            unlessKnown: unlessKnown.map { Data($0.utf8) }
        )
    }

    /// Attempts count for all of their quotas or for none, and for one window.
    package func countsAttemptsToSignIn() async throws {
        let both = [quota("ada", 2), quota("here", 3)]
        for second in 0..<2 {
            #expect(
                try await store.takeSignInAttempt(both, now: now + Double(second)) == nil
            )
        }
        // The window began with the first attempt, and who is refused takes nothing.
        for _ in 0..<5 {
            #expect(try await store.takeSignInAttempt(both, now: now + 10) == now + 900)
        }
        #expect(try await store.takeSignInAttempt([quota("here", 3)], now: now + 11) == nil)
        #expect(try await store.takeSignInAttempt([quota("here", 3)], now: now + 12) != nil)
        #expect(try await store.takeSignInAttempt(both, now: now + 900) == nil)
    }

    /// Of many attempts at once no more than the quota is let through.
    package func countsAttemptsThatComeAtOnce() async throws {
        let allowed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await store.takeSignInAttempt([quota("ada", 7)], now: now) == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(allowed == 7)
    }

    /// A success forgets, gives back and remembers; a failure goes to the workspace's log.
    package func settlesAttemptsToSignIn() async throws {
        let fixture = try await fixture()
        #expect(try await store.signInFigures() == (failed: 0, succeeded: 0))
        let quotas = [quota("ada", 1), quota("here", 2)]
        #expect(try await store.takeSignInAttempt(quotas, now: now) == nil)
        try await store.settleSignIn(
            SignInResult(
                hasSucceeded: true,
                forgotten: [Data("ada".utf8)],
                returned: [Data("here".utf8)],
                remembered: (Data("ada here".utf8), now + 3_000)
            ),
            now: now
        )
        for _ in 0..<2 {
            #expect(try await store.takeSignInAttempt([quota("here", 2)], now: now) == nil)
        }
        #expect(try await store.takeSignInAttempt([quota("here", 2)], now: now) != nil)
        let known = quota("ada", 1, unlessKnown: "ada here")
        for _ in 0..<3 { #expect(try await store.takeSignInAttempt([known], now: now) == nil) }
        #expect(try await store.takeSignInAttempt([quota("ada", 1)], now: now) != nil)
        #expect(try await store.takeSignInAttempt([known], now: now + 3_000) == nil)
        #expect(try await store.takeSignInAttempt([known], now: now + 3_000) != nil)

        let record = AuditRecord(
            at: now,
            origin: .console,
            author: "-",
            action: "sign_in_failed",
            subject: "ada@example.org"
        )
        try await store.settleSignIn(
            SignInResult(hasSucceeded: false, audit: (record, fixture.workspace)),
            now: now
        )
        try await store.settleSignIn(SignInResult(hasSucceeded: false), now: now)
        let found = try await store.audit(in: fixture.workspace, matching: AuditQuery())
        #expect(found.records == [record])
        let figures = try await store.signInFigures()
        #expect(figures.failed == 2)
        #expect(figures.succeeded == 1)
    }

    /// Servers whose clocks differ a little count as one.
    package func countsAttemptsByClocksThatDiffer() async throws {
        let quotas = [quota("ada", 4)]
        var allowed = 0
        for second in 0..<20 {
            // Every other one is behind.
            let time = now + Double(second) / 10 - (second % 2 == 0 ? 0 : 2)
            if try await store.takeSignInAttempt(quotas, now: time) == nil { allowed += 1 }
        }
        #expect(allowed == 4)
    }

    /// A clock that was wrong for a while keeps nobody out for years.
    package func bearsAClockThatWasWrong() async throws {
        let quotas = [quota("ada", 1)]
        let year = 365.0 * 86_400
        #expect(try await store.takeSignInAttempt(quotas, now: now + 10 * year) == nil)
        #expect(try await store.takeSignInAttempt(quotas, now: now) == nil)
        #expect(try await store.takeSignInAttempt(quotas, now: now) != nil)
    }

    /// A probe writes, and the store is well.
    package func isWellWhileItCanBeWritten() async throws {
        let before = store.writesDone
        #expect(await store.probe() == nil)
        #expect(store.trouble == nil)
        #expect(store.writesDone > before)
    }
}

import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    private func member(_ name: String, in workspace: WorkspaceID) async throws -> Member {
        try await store.addMember(
            MemberDraft(
                name: name,
                email: "\(name)@example.org",
                passwordHash: "hash",
                role: .marketer
            ),
            MemberDetails(),
            in: workspace,
            noting: nil,
            now: now
        ).member
    }

    private func record(_ action: String, _ detail: String = "") -> AuditRecord {
        AuditRecord(
            at: now,
            origin: .console,
            author: "Ada",
            action: action,
            subject: "ada@example.org",
            detail: detail
        )
    }

    /// A secret counts once it is confirmed; periods only rise, and codes go one by one.
    package func keepsSecondFactors() async throws {
        let fixture = try await fixture()
        let ada = try await member("ada", in: fixture.workspace).id
        let box = Data("box".utf8)
        let codes = [Data("one".utf8), Data("two".utf8)]
        func confirm(_ box: Data) async throws -> Bool {
            try await store.confirmSecondFactor(
                box,
                of: ada,
                step: 100,
                recoveryCodes: codes,
                noting: record("set")
            )
        }
        #expect(try await store.saveSecondFactor(Data("former".utf8), of: ada))
        #expect(try await store.saveSecondFactor(box, of: ada))
        #expect(try await !store.replaceRecoveryCodes(codes, of: ada, noting: record("made")))
        #expect(try await !confirm(Data("former".utf8)))
        #expect(try await store.secondFactor(of: ada)?.confirmedAt == nil)
        #expect(try await confirm(box))
        #expect(try await !confirm(box))
        #expect(try await !store.saveSecondFactor(Data("other".utf8), of: ada))
        #expect(
            try await store.secondFactor(of: ada)
                == SecondFactor(box: box, confirmedAt: now, lastStep: 100, recoveryCodes: 2)
        )
        let steps = [100, 99, 101, 101, 103, 102] as [Int64]
        var taken: [Bool] = []
        for step in steps { taken.append(try await store.useSecondFactorStep(step, of: ada)) }
        #expect(taken == [false, false, true, false, true, false])
        for isTaken in [true, false] {
            #expect(
                try await store.useRecoveryCode(codes[0], of: ada) { record("used", "\($0)") }
                    == isTaken
            )
        }
        #expect(try await store.secondFactor(of: ada)?.recoveryCodes == 1)
        let other = try await store.createWorkspace(name: "Harbor", timeZone: "UTC", now: now)
        for (workspace, isRemoved) in [
            (other, false), (fixture.workspace, true), (fixture.workspace, false),
        ] {
            let removed = try await store.removeSecondFactor(of: ada, in: workspace) { _ in
                record("removed")
            }
            #expect((removed?.id == ada) == isRemoved)
        }
        #expect(try await store.secondFactor(of: ada) == nil)
        let log = try await store.audit(in: fixture.workspace, matching: AuditQuery())
        #expect(log.records.map(\.action) == ["removed", "used", "set"])
        #expect(log.records[1].detail == "1")
    }

    /// A step of signing in is good until it expires, once, and ends with its member.
    package func keepsStepsOfSigningIn() async throws {
        let workspace = try await fixture().workspace
        let ada = try await member("ada", in: workspace)
        let tokens = (0..<3).map { Data("token \($0)".utf8) }
        for token in tokens {
            try await store.saveSignInStep(
                token,
                of: ada.id,
                in: workspace,
                isByProvider: token == tokens[1],
                now: now,
                expiresAt: now + 600
            )
        }
        let step = try await store.member(signInStep: tokens[0], now: now + 599)
        #expect(step?.member == ada)
        #expect(step?.isByProvider == false)
        #expect(try await store.member(signInStep: tokens[1], now: now)?.isByProvider == true)
        #expect(try await store.member(signInStep: tokens[0], now: now + 600) == nil)
        #expect(try await store.deleteSignInStep(tokens[0]))
        #expect(try await !store.deleteSignInStep(tokens[0]))
        _ = try await store.removeMember(ada.id, in: workspace, noting: { _ in nil }, now: now)
        #expect(try await store.member(signInStep: tokens[1], now: now) == nil)
        #expect(try await !store.deleteSignInStep(tokens[1]))
    }
}

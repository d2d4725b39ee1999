import Accounts
import Analytics
import Audience
import Campaigns
import Console
import Drafts
import Foundation
import Model
import Ports
import Sends

/// Answers the console's questions from the services.
struct ConsoleAdapter: ConsoleServices {
    let store: any Store
    let accounts: AccountService
    let composer: PushComposer
    let control: SendControl
    let fetcher: any ContentFetcher
    let renderer: MessageRenderer
    let audience: AudienceService
    let choices: AudienceChoiceService
    let feed: ChangeFeed
    let figures: FigureCache
    let formDrafts: DraftService
    let undoSeconds: Int
    let review: SendReview
    let now: @Sendable () -> Date

    // MARK: Accounts

    func logIn(
        email: String,
        password: String,
        from address: String?
    ) async throws -> ConsoleSession? {
        let signedIn = try await accounts.signIn(email: email, password: password, from: address)
        guard let signedIn else { return nil }
        return ConsoleSession(
            token: signedIn.token,
            expiresAt: now().addingTimeInterval(AccountService.sessionLength)
        )
    }

    func member(ofSession token: String) async throws -> ConsoleMember? {
        guard let member = try await accounts.member(sessionToken: token) else { return nil }
        let workspace = try await store.workspace(member.workspace)
        return ConsoleMember(
            id: member.id.rawValue,
            name: member.name,
            email: member.email,
            role: member.role,
            workspaceID: member.workspace.rawValue,
            workspaceName: workspace?.name ?? "",
            timeZone: workspace?.zone ?? .gmt,
            color: workspace?.settings.color ?? .ember,
            lastSignedInAt: member.lastSignedInAt
        )
    }

    func logOut(session token: String) async throws {
        try await accounts.signOut(sessionToken: token)
    }

    // MARK: Overview

    func overview(days: Int, for member: ConsoleMember) async throws -> OverviewFigures {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = member.timeZone
        let today = calendar.startOfDay(for: now())
        // The first moments of all days, and of tomorrow: a day may have 23 or 25 hours.
        let boundaries = (0...(2 * days)).compactMap {
            calendar.date(byAdding: .day, value: $0 - 2 * days + 1, to: today)
        }
        let workspace = WorkspaceID(member.workspaceID)
        // Days that are over are counted again when something has come that is of one of them,
        // today's often.
        let period = "\(today) \(days)"
        let changes = try await store.changes(
            since: figures.known(.past(workspace), "mark \(period)"),
            in: workspace
        )
        if let earliest = changes.earliest, earliest < today {
            figures.forget(.past(workspace), period)
        }
        figures.keep(changes.mark, of: .past(workspace), "mark \(period)", since: .now)
        let past = try await figures.value(of: .past(workspace), period) {
            try await store.figures(in: workspace, between: Array(boundaries.dropLast()))
        }
        let present = try await figures.value(of: .workspace(workspace), "\(today)") {
            try await store.figures(in: workspace, between: Array(boundaries.suffix(2)))
        }
        let counted = (past + present).map {
            DayFigures(
                day: $0.start,
                sessions: $0.sessions,
                newUsers: $0.newUsers,
                delivered: $0.delivered,
                opened: $0.opened
            )
        }
        let counts = try await figures.value(of: .workspace(workspace), "users") {
            try await store.userCounts(in: workspace)
        }
        func pushes(_ states: Set<SendState>) async throws -> [PushSummary] {
            try await summaries(
                of: store.sends(in: workspace, matching: SendQuery(states: states, limit: 5)).sends
            )
        }
        return OverviewFigures(
            users: counts.users,
            reachableDevices: counts.reachableDevices,
            days: Array(counted.suffix(days)),
            previousDays: Array(counted.prefix(days)),
            running: try await pushes([.planning, .sending, .paused]),
            scheduled: try await pushes([.scheduled]),
            recent: try await pushes([.finished])
        )
    }

    /// What the ledgers of sends hold, counted anew where something has changed, or where it must
    /// be exact.
    private func counts(of sends: [SendID], areExact: Bool) async throws -> [SendID: SendCounts] {
        var counts: [SendID: SendCounts] = [:]
        if !areExact {
            for send in sends { counts[send] = figures.known(.send(send), "counts") }
        }
        let missing = sends.filter { counts[$0] == nil }
        guard !missing.isEmpty else { return counts }
        let start = ContinuousClock.now
        for (send, found) in try await store.counts(of: missing) {
            counts[send] = found
            figures.keep(found, of: .send(send), "counts", since: start)
        }
        return counts
    }

    /// The lists' view of sends, with their counts.
    func summaries(of sends: [Send], areExact: Bool = false) async throws -> [PushSummary] {
        let counts = try await counts(of: sends.map(\.id), areExact: areExact)
        var summaries: [PushSummary] = []
        for send in sends {
            let messages = send.content.sentMessages
            summaries.append(
                PushSummary(
                    number: send.id.rawValue,
                    title: Self.joined(messages.map(\.title)),
                    message: Self.joined(messages.map(\.body)),
                    audience: try await choices.choice(of: send.content.audience),
                    state: SendPhase(send.state, counts[send.id] ?? SendCounts()),
                    createdAt: send.createdAt,
                    deliverAt: send.scheduledAt > send.createdAt ? send.scheduledAt : nil,
                    figures: PushFigures(counts[send.id] ?? SendCounts()),
                    heldUntil: send.state == .scheduled ? send.content.heldUntil : nil
                )
            )
        }
        return summaries
    }

    /// What several variants say, each text once.
    private static func joined(_ texts: [String]) -> String {
        var known: [String] = []
        for text in texts where !text.isEmpty && !known.contains(text) { known.append(text) }
        return known.joined(separator: " / ")
    }
}

extension PushFigures {
    init(_ counts: SendCounts) {
        self.init()
        planned = counts.total
        delivered = counts[.accepted]
        rejected = counts[.rejected] + counts[.skipped]
        unknown = counts[.unknown]
        received = counts.received
        directOpens = counts.opened
        influencedOpens = counts.influenced
        dismissed = counts.dismissed
    }
}

import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Segments

/// Reviews a message as a whole before it is sent: its recipients, its times and possible problems.
/// It sends nothing.
package struct SendReview: Sendable {
    /// The message to review.
    package struct Request: Sendable {
        /// Every message of every variant and platform.
        package var messages: [PushMessage]
        /// The platforms that show a message; one that is not named is shown on all.
        package var platforms: [PushMessage: Set<MessagePlatform>] = [:]
        /// The texts of a message that is not a push.
        package var texts: [String] = []
        /// Whether recipients need a device that shows pushes.
        package var isPush = true
        package var audience: Audience
        /// Whether the workspace's control group gets nothing of it.
        package var isWithheld = false
        /// When it starts; `nil` means now.
        package var startsAt: Date?
        /// The next start times, if it has a schedule.
        package var runs: [Date] = []
        /// How quiet hours affect it.
        package var quietHours = QuietHoursHandling.sendAnyway
        /// Whether it is known now if it starts during quiet hours.
        package var checksQuietHours = true
        /// The part of the audience in the first launch.
        package var firstShare = 1.0

        package init(messages: [PushMessage], audience: Audience) {
            self.messages = messages
            self.audience = audience
        }

        func isShown(_ message: PushMessage, on platform: MessagePlatform) -> Bool {
            platforms[message]?.contains(platform) ?? true
        }
    }

    /// Number of users for whom the message is rendered to find the longest one.
    static let sampleSize = 100
    /// Number of the first users from which the sample is taken.
    private static let samplePool = 5_000
    private static let languageLimit = 12

    let store: any Store
    let audience: SegmentationService
    let renderer: MessageRenderer
    let fetcher: any ContentFetcher
    let payload: PayloadMeter
    let now: @Sendable () -> Date

    package init(
        store: any Store,
        audience: SegmentationService,
        renderer: MessageRenderer,
        fetcher: any ContentFetcher,
        payload: PayloadMeter,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.audience = audience
        self.renderer = renderer
        self.fetcher = fetcher
        self.payload = payload
        self.now = now
    }

    /// - Throws: `AudienceError` if the audience cannot be evaluated.
    package func outlook(
        of request: Request,
        in workspace: WorkspaceID
    ) async throws -> SendOutlook {
        var outlook: SendOutlook
        let group: Group?
        let withheld =
            request.isWithheld ? try await store.limits(of: workspace).controlGroup : nil
        func recipients(_ query: SegmentQuery) async throws -> Group {
            try await self.group(
                query,
                isPush: request.isPush,
                withholds: withheld != nil,
                in: workspace
            )
        }
        switch request.audience {
        case .matching(let query):
            let found = try await recipients(query)
            outlook = try await counted(found, in: workspace)
            group = found
        case .everyone:
            do {
                let found = try await recipients(SegmentQuery())
                outlook = try await counted(found, in: workspace)
                group = found
            } catch let problem as AudienceError where problem.code == .notReady {
                // The users can be counted while they are still being read.
                if request.isPush {
                    let reach = try await store.reach(of: .everyone, in: workspace)
                    outlook = SendOutlook(users: reach.users, devices: reach.devices)
                } else {
                    let counts = try await store.userCounts(in: workspace)
                    outlook = SendOutlook(users: counts.users, devices: 0)
                }
                group = nil
            }
        case .profiles(let all):
            let profiles = all.filter { withheld?.contains($0) != true }
            let reach = try await store.reach(of: .profiles(profiles), in: workspace)
            outlook = SendOutlook(users: reach.users, devices: reach.devices)
            if profiles != all {
                let whole = try await store.reach(of: .profiles(all), in: workspace)
                outlook.withheld = whole.users - reach.users
            }
            let sample = try await self.profiles(profiles.prefix(Self.sampleSize))
            group = Group(rule: nil, book: nil, sample: sample)
        }
        outlook.first = Int((Double(outlook.users) * request.firstShare).rounded())
        outlook.runs = request.runs
        let reached = request.isPush ? outlook.devices : outlook.users
        if reached == 0 { outlook.findings.append(.nobody) }
        let measured = try await measured(request.messages, group, in: workspace)
        outlook.payloads = payloads(request, measured, outlook)
        outlook.findings += try await messageFindings(
            request,
            measured,
            group,
            outlook,
            in: workspace
        )
        if let rule = group?.rule {
            outlook.findings += try await filterFindings(rule, group?.book, in: workspace)
        }
        outlook.findings += try await newsFindings(request, in: workspace)
        if let quiet = try await quietHours(request, in: workspace) {
            outlook.findings.append(quiet)
        }
        return outlook
    }

    // MARK: Who

    /// The recipients of a message.
    struct Group {
        /// `nil` for named users.
        var rule: SegmentRule?
        var book: WorkspaceSegmentResolver?
        /// A sample of the users.
        var sample: [Profile]
        var isPush = true
        /// Those of the workspace's control group, who are no recipients; `nil` if everybody is one.
        var withheld: SegmentRule?
    }

    private func group(
        _ query: SegmentQuery,
        isPush: Bool,
        withholds: Bool,
        in workspace: WorkspaceID
    ) async throws -> Group {
        let found = try await recipients(query, withholds: withholds, in: workspace)
        let selection = found.selection
        let pool = selection.profiles(after: nil, limit: Self.samplePool)
        let step = max(1, pool.count / Self.sampleSize)
        let sample = stride(from: 0, to: pool.count, by: step).prefix(Self.sampleSize)
        return Group(
            rule: found.rule,
            book: found.book,
            sample: try await profiles(sample.map { ProfileID(pool[$0]) }),
            isPush: isPush,
            withheld: withholds ? .all([found.whole, Self.inControlGroup]) : nil
        )
    }

    /// The users of an audience, without those of the control group where it gets nothing.
    struct Recipients {
        /// With those of the control group.
        var whole: SegmentRule
        var rule: SegmentRule
        var book: WorkspaceSegmentResolver
        var selection: AudienceSelection
    }

    private static let inControlGroup = SegmentRule.condition(.controlGroup)

    func recipients(
        _ query: SegmentQuery,
        withholds: Bool,
        in workspace: WorkspaceID
    ) async throws -> Recipients {
        let (whole, book) = try await audience.rule(of: query, in: workspace)
        let rule = withholds ? SegmentRule.all([whole, .not(Self.inControlGroup)]) : whole
        return Recipients(
            whole: whole,
            rule: rule,
            book: book,
            selection: try await audience.select(rule, book: book, in: workspace)
        )
    }

    func profiles(_ ids: some Sequence<ProfileID>) async throws -> [Profile] {
        var profiles: [Profile] = []
        for id in ids {
            if let profile = try await store.profile(id) { profiles.append(profile) }
        }
        return profiles
    }

    private func counted(
        _ group: Group,
        in workspace: WorkspaceID
    ) async throws -> SendOutlook {
        guard let rule = group.rule, let book = group.book else {
            return SendOutlook(users: 0, devices: 0)
        }
        let count = try await audience.count(
            audience.select(rule, book: book, in: workspace)
        )
        var languages: [String: Int] = [:]
        for profile in group.sample {
            if let found = profile.standard[.language]?.stringValue {
                languages[found, default: 0] += 1
            }
        }
        var shares: [SendOutlook.Share] = []
        let named = languages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for name in named.prefix(Self.languageLimit).map(\.key) {
            let test = ValueTest.equal(.string(name))
            let users = try await size(
                of: .all([rule, .condition(.attribute(.standard(.language), test))]),
                group,
                in: workspace
            )
            if users > 0 { shares.append(.init(name: name, count: users)) }
        }
        shares.sort { ($1.count, $0.name) < ($0.count, $1.name) }
        let users = group.isPush ? count.reachable : count.users
        let rest = users - shares.map(\.count).reduce(0, +)
        if rest > 0, !shares.isEmpty { shares.append(.init(name: "", count: rest)) }
        var outlook = SendOutlook(
            users: users,
            devices: group.isPush ? count.deviceCount : 0,
            platforms: !group.isPush
                ? []
                : count.devices.filter { $0.value > 0 }
                    .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { .init(name: $0.key, count: $0.value) },
            languages: shares
        )
        if let withheld = group.withheld {
            outlook.withheld = try await size(of: withheld, group, in: workspace)
        }
        return outlook
    }

    /// Number of users who match a rule and could get the group's message.
    func size(
        of rule: SegmentRule,
        _ group: Group,
        in workspace: WorkspaceID
    ) async throws -> Int {
        guard let book = group.book else { return 0 }
        let selection = try await audience.select(rule, book: book, in: workspace)
        return group.isPush
            ? try await audience.count(selection).reachable : try await selection.count().users
    }

    // MARK: When

    private func quietHours(
        _ request: Request,
        in workspace: WorkspaceID
    ) async throws -> SendFinding? {
        guard request.checksQuietHours,
            let quiet = try await store.limits(of: workspace).quietHours
        else { return nil }
        let moment = request.startsAt ?? request.runs.first ?? now()
        let zone = try await store.timeZone(of: workspace)
        guard quiet.end(afterQuiet: moment, in: zone) != nil else { return nil }
        return .quietHours(start: quiet.start, end: quiet.end, handling: request.quietHours)
    }
}

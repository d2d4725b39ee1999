import Foundation
import Liquid
import Model
import Ports
import Reasons

/// Pages on which users choose which messages they receive: creates them, renders them, and reads
/// users' choices.
package struct PreferenceCenterService: Sendable {
    package typealias Source = PreferenceCenterStore & ProfileStore & SubscriptionStore
        & ContentBlockStore

    package static let countLimit = 100
    package static let nameLimit = 250
    package static let titleLimit = 255
    /// Maximum length of a page, in characters.
    package static let pageLimit = 200_000
    package static let viewportLimit = 255

    private let store: any Source
    private let links: PreferenceLinks
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any Source,
        links: PreferenceLinks,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.links = links
        self.now = now
        self.makeID = makeID
    }

    // MARK: Making

    /// The content of a page.
    package struct Draft: Sendable, Hashable {
        package var title: String
        package var page: String
        package var confirmation: String
        package var viewport: String?
        package var state: PreferenceCenter.State

        package init(
            title: String,
            page: String,
            confirmation: String,
            viewport: String?,
            state: PreferenceCenter.State
        ) {
            self.title = title
            self.page = page
            self.confirmation = confirmation
            self.viewport = viewport
            self.state = state
        }
    }

    package func centers(in workspace: WorkspaceID) async throws -> [PreferenceCenter] {
        try await store.preferenceCenters(in: workspace)
    }

    package func center(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> PreferenceCenter? {
        try await store.preferenceCenter(id, in: workspace)
    }

    /// - Throws: `ValidationError`.
    package func create(
        _ name: String,
        _ draft: Draft,
        in workspace: WorkspaceID
    ) async throws -> PreferenceCenter {
        try Self.check(name: name)
        try Self.check(draft)
        let now = now()
        let center = PreferenceCenter(
            id: makeID(),
            workspace: workspace,
            name: name,
            title: draft.title,
            page: draft.page,
            confirmation: draft.confirmation,
            viewport: draft.viewport,
            state: draft.state,
            createdAt: now,
            updatedAt: now
        )
        do {
            guard try await store.createPreferenceCenter(center, limit: Self.countLimit) else {
                throw ValidationError(
                    .preferenceCenter(.name),
                    .oneTooMany,
                    ["count": "\(Self.countLimit)"]
                )
            }
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(
                .preferenceCenter(.name),
                .centerNameTaken,
                ["name": .text(name)]
            )
        }
        return center
    }

    /// Replaces the content of a page; `nil` if it does not exist.
    ///
    /// - Throws: `ValidationError`.
    package func update(
        _ id: UUID,
        to draft: Draft,
        in workspace: WorkspaceID
    ) async throws -> PreferenceCenter? {
        try Self.check(draft)
        guard var center = try await store.preferenceCenter(id, in: workspace) else { return nil }
        center.title = draft.title
        center.page = draft.page
        center.confirmation = draft.confirmation
        center.viewport = draft.viewport
        center.state = draft.state
        center.updatedAt = now()
        return try await store.updatePreferenceCenter(center) ? center : nil
    }

    package static func check(name: String) throws(ValidationError) {
        guard name.count <= nameLimit, CatalogValidator.problem(name: name) == nil else {
            throw ValidationError(
                .preferenceCenter(.name),
                .plainNameOf,
                ["count": "\(nameLimit)"]
            )
        }
    }

    /// - Throws: The first problem of the templates.
    package static func check(_ draft: Draft) throws(ValidationError) {
        for (field, text) in [
            (FieldPath.PreferenceCenter.page, draft.page), (.confirmation, draft.confirmation),
        ] {
            let template: Template
            do {
                template = try Template(parsing: text, name: nil, mode: .strict)
            } catch {
                throw ValidationError([FieldProblem(.preferenceCenter(field), error.whole)])
            }
            guard !template.asksQuestions else {
                throw ValidationError(.preferenceCenter(field), .outsidePage)
            }
        }
    }

    // MARK: Showing

    /// The part of a path that identifies a user and a page; `nil` if the user or an active page
    /// does not exist.
    package func token(
        forUser user: UserReference,
        on id: UUID,
        in workspace: WorkspaceID
    ) async throws -> String? {
        guard let center = try await store.preferenceCenter(id, in: workspace),
            center.state == .active,
            let profile = try await store.profile(user, in: workspace)
        else { return nil }
        return links.token(
            of: PreferenceLink(workspace: workspace, center: id, user: profile.publicID)
        )
    }

    /// A page, rendered for its user.
    package struct Page: Sendable, Hashable {
        package var title: String
        package var viewport: String?
        /// HTML.
        package var body: String
    }

    /// The user and the page of a link.
    private struct Visit {
        var center: PreferenceCenter
        var profile: Profile
    }

    /// The page of a link; `nil` if the link is invalid.
    ///
    /// - Parameter submitURL: The target of the form.
    package func page(_ token: String, submitURL: String) async throws -> Page? {
        guard let visit = try await visit(token) else { return nil }
        return try await page(visit.center.page, visit, submitURL)
    }

    /// The page that is shown after a user has chosen.
    package func confirmation(_ token: String, submitURL: String) async throws -> Page? {
        guard let visit = try await visit(token) else { return nil }
        return try await page(visit.center.confirmation, visit, submitURL)
    }

    private func visit(_ token: String) async throws -> Visit? {
        guard let link = links.link(token),
            let center = try await store.preferenceCenter(link.center, in: link.workspace),
            center.state == .active,
            let profile = try await store.profile(.profile(link.user), in: link.workspace)
        else { return nil }
        return Visit(center: center, profile: profile)
    }

    private func page(
        _ source: String,
        _ visit: Visit,
        _ submitURL: String
    ) async throws -> Page {
        let template = try Template(parsing: source, name: nil, mode: .strict)
        var options = RenderOptions(now: { [now] in
            LiquidTime(seconds: Int(now().timeIntervalSince1970))
        })
        // A page with a gap is better than no page.
        options.errors = .omit
        options.templates = try await ContentBlockReader(store: store).blocks(
            named: template.contentBlocks,
            in: visit.center.workspace
        )
        let outcome = try template.render(
            PreferenceVariables(profile: visit.profile, submitURL: submitURL),
            options: options
        )
        var body = ""
        if case .rendered(let rendered) = outcome { body = rendered.text }
        return Page(title: visit.center.title, viewport: visit.center.viewport, body: body)
    }

    // MARK: Choosing

    /// A user's choices.
    package struct Choice: Sendable, Hashable {
        package var workspace: WorkspaceID
        package var user: UUID
        package var email: SubscriptionState?
        package var groups: [UUID: SubscriptionState]
    }

    /// The choices in a submitted form; a field of the page that was not submitted is an unchecked
    /// box. `nil` if the link is invalid.
    ///
    /// - Throws: `ValidationError` for a field that says what it cannot.
    package func choice(
        _ token: String,
        _ fields: [(name: String, value: String)]
    ) async throws -> Choice? {
        guard let visit = try await visit(token) else { return nil }
        let page = try await page(visit.center.page, visit, "")
        var choice = Choice(
            workspace: visit.center.workspace,
            user: visit.profile.publicID,
            email: nil,
            groups: [:]
        )
        let email = "email_global_state"
        if page.body.contains(email) {
            choice.email = try Self.state(email, fields, [.optedIn, .subscribed, .unsubscribed])
        }
        for group in try await store.subscriptionGroups(in: choice.workspace) {
            let name = "subscription_group:"
            let spellings = [group.id.uuidString.lowercased(), group.id.uuidString]
            guard let id = spellings.first(where: { page.body.contains(name + $0) }) else {
                continue
            }
            choice.groups[group.id] = try Self.state(
                name + id,
                fields,
                [.subscribed, .unsubscribed]
            )
        }
        return choice
    }

    private static func state(
        _ name: String,
        _ fields: [(name: String, value: String)],
        _ allowed: [SubscriptionState]
    ) throws(ValidationError) -> SubscriptionState {
        // A hidden field before a box says what the box does not; the last one counts.
        guard let value = fields.last(where: { $0.name == name })?.value else {
            return .unsubscribed
        }
        guard let state = SubscriptionState(rawValue: value), allowed.contains(state) else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(.request(name), .oneOf, ["known": "\(names)"])
        }
        return state
    }
}

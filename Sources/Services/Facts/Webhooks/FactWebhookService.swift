import Foundation
import Model
import Ports
import Reasons

/// Sets up the addresses that get facts.
package struct FactWebhookService: Sendable {
    /// Where a new one begins.
    package enum Start: String, Sendable, CaseIterable {
        case now
        case beginning
    }

    /// One, and how many numbers it is behind.
    package struct Status: Sendable, Hashable {
        package var webhook: FactWebhook
        package var lag: Int64
    }

    private let store: any FactStore & FactWebhookStore
    private let vault: any FactSecretVault
    private let now: @Sendable () -> Date
    private let random: @Sendable (Int) -> [UInt8]
    private let makeID: @Sendable () -> UUID

    package init(
        store: any FactStore & FactWebhookStore,
        vault: any FactSecretVault,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable (Int) -> [UInt8],
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.vault = vault
        self.now = now
        self.random = random
        self.makeID = makeID
    }

    /// By name.
    package func webhooks(in workspace: WorkspaceID) async throws -> [Status] {
        let last = try await store.lastFactNumber()
        return try await store.factWebhooks(in: workspace).map {
            Status(webhook: $0, lag: max(0, last - $0.position))
        }
    }

    /// - Returns: The webhook and the secret with which its receiver checks signatures.
    /// - Throws: `ValidationError`, `NotAllowedError` to actors who are no administrators.
    package func create(
        name: String,
        address: String,
        kinds: Set<Fact.Kind>,
        from start: Start,
        by actor: Actor
    ) async throws -> (webhook: FactWebhook, secret: String) {
        try actor.require(.administrator)
        let known = try await store.factWebhooks(in: actor.workspace).count
        guard known < FactWebhook.limit else {
            throw ValidationError([
                FieldProblem(
                    .request("name"),
                    .oneTooMany,
                    ["count": "\(FactWebhook.limit)"]
                )
            ])
        }
        if start == .now { while try await store.numberFacts() {} }
        let webhook = FactWebhook(
            id: makeID(),
            workspace: actor.workspace,
            name: try Self.checked(name: name),
            address: try Self.checked(address: address),
            kinds: kinds,
            position: start == .now ? try await store.lastFactNumber() : 0,
            createdAt: now()
        )
        let secret = Data(random(FactSignature.secretLength))
        try await save(webhook, secret: secret, "fact_webhook_created", by: actor)
        return (webhook, FactSignature.text(secret))
    }

    /// Changes what is given; what is `nil` stays.
    ///
    /// - Returns: `nil` if there is no such webhook.
    /// - Throws: As `create`.
    package func change(
        _ id: UUID,
        name: String? = nil,
        address: String? = nil,
        kinds: Set<Fact.Kind>? = nil,
        by actor: Actor
    ) async throws -> FactWebhook? {
        try actor.require(.administrator)
        guard var webhook = try await store.factWebhook(id, in: actor.workspace) else { return nil }
        if let name { webhook.name = try Self.checked(name: name) }
        if let address { webhook.address = try Self.checked(address: address) }
        if let kinds { webhook.kinds = kinds }
        webhook.dueAt = now()
        try await save(webhook, secret: nil, "fact_webhook_changed", by: actor)
        return webhook
    }

    /// Pauses one, or lets one go on that was paused or given up: from where it was.
    ///
    /// - Returns: `nil` if there is no such webhook.
    package func set(
        _ id: UUID,
        isActive: Bool,
        by actor: Actor
    ) async throws -> FactWebhook? {
        try actor.require(.administrator)
        guard var webhook = try await store.factWebhook(id, in: actor.workspace) else { return nil }
        webhook.state = isActive ? .active : .paused
        webhook.dueAt = now()
        let action = isActive ? "fact_webhook_resumed" : "fact_webhook_paused"
        try await save(webhook, secret: nil, action, by: actor)
        return webhook
    }

    /// - Returns: `false` if there is no such webhook.
    package func delete(_ id: UUID, by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        guard let webhook = try await store.factWebhook(id, in: actor.workspace) else {
            return false
        }
        return try await store.deleteFactWebhook(
            id,
            in: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "fact_webhook_deleted",
                subject: webhook.name
            )
        )
    }

    /// With what the receiver checks signatures.
    ///
    /// - Throws: `NotAllowedError` to actors who are no administrators.
    package func secret(of id: UUID, by actor: Actor) async throws -> String? {
        try actor.require(.administrator)
        guard try await store.factWebhook(id, in: actor.workspace) != nil,
            let box = try await store.factWebhookSecret(id)
        else { return nil }
        return FactSignature.text(try vault.open(box, of: id))
    }

    private func save(
        _ webhook: FactWebhook,
        secret: Data?,
        _ action: String,
        by actor: Actor
    ) async throws {
        do {
            try await store.saveFactWebhook(
                webhook,
                secret: try secret.map { try vault.seal($0, of: webhook.id) },
                noting: AuditRecord(at: now(), by: actor, action: action, subject: webhook.name)
            )
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError([
                FieldProblem(
                    .request("name"),
                    .webhookNameTaken,
                    ["name": .text(webhook.name)]
                )
            ])
        }
    }

    // MARK: Rules

    private static func checked(name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...FactWebhook.nameLimit).contains(name.count) else {
            throw ValidationError([
                FieldProblem(
                    .request("name"),
                    .characters,
                    ["count": "\(FactWebhook.nameLimit)"]
                )
            ])
        }
        return name
    }

    /// Whether it may be called is asked each time, of the address that its name has then.
    private static func checked(address: String) throws -> String {
        let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
        guard address.utf8.count <= 2_000, let url = URL(string: address),
            url.scheme == "https" || url.scheme == "http", url.host()?.isEmpty == false
        else { throw ValidationError([FieldProblem(.request("url"), .webAddress)]) }
        return address
    }
}

import Facts
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Shared phones, late reports, merges and deletions, in two workspaces.
final class FactHistory {
    let conformance: StoreConformance
    let fixture: StoreConformance.Fixture
    let other: StoreConformance.Fixture
    var random: SeededGenerator
    private(set) var sends: [SendID] = []
    private(set) var deleted: Set<String> = []
    private var names = (0..<8).map { "person-\($0)" }
    private let phones = (0..<6).map { _ in UUID() }
    private var made = 8
    private var clock: TimeInterval = 0

    var store: any Store { conformance.store }

    init(_ store: any Store, seed: UInt64) async throws {
        conformance = StoreConformance(store)
        fixture = try await conformance.fixture()
        other = try await conformance.fixture()
        random = SeededGenerator(seed)
    }

    func step() async throws {
        clock += TimeInterval(Int.random(in: 1...2000, using: &random))
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<4: try await register()
        case 4..<9: try await act()
        case 9..<12: try await send()
        case 12..<17: try await report()
        case 17: try await consent()
        case 18: try await merge()
        case 19, 20: try await delete()
        case 21: try await audit()
        case 22: try await stop()
        default:
            _ = try await conformance.batch(
                [(.external("stranger"), .sessionStarted)],
                from: phones[0],
                after: clock,
                in: other
            )
        }
    }

    private func pick<Element>(_ all: [Element]) throws -> Element {
        try #require(all.randomElement(using: &random))
    }

    private func tell(_ content: IngestItem.Content, _ name: String, _ phone: UUID) async throws {
        _ = try await conformance.batch(
            [(.external(name), content)],
            from: phone,
            after: clock - TimeInterval(Int.random(in: 0...5000, using: &random)),
            in: fixture
        )
    }

    private func register() async throws {
        let phone = try pick(phones)
        let registration = PushRegistration(
            provider: .apns,
            token: phone.uuidString,
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: conformance.now
        )
        try await tell(.pushRegistered(registration), try pick(names), phone)
    }

    private func act() async throws {
        let contents: [IngestItem.Content] = [
            .sessionStarted, .event(name: "poured", properties: ["cups": 2]),
            .purchase(product: "tea", currency: "JPY", price: 3.5, quantity: 2, properties: [:]),
        ]
        try await tell(try pick(contents), try pick(names), try pick(phones))
    }

    private func send() async throws {
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)
        sends.append(send.id)
        let now = conformance.now.addingTimeInterval(clock)
        let claimed = try await conformance.claim(100, at: now)
        let results = claimed.dropLast(Int.random(in: 0...1, using: &random)).map { row in
            let changes: [DispatchUpdate.Change] = [
                .accepted(providerID: "a"), .accepted(providerID: nil),
                .rejected(reason: "BadCollapseId", retiresToken: false),
                .retry(reason: "HTTP 503", at: now),
            ]
            var result = DispatchUpdate(
                send: row.send,
                device: row.device.id,
                change: changes[Int.random(in: 0..<4, using: &random)]
            )
            result.isUnreported = Bool.random(using: &random)
            return result
        }
        try await store.record(results, now: now)
    }

    private func report() async throws {
        guard let send = sends.randomElement(using: &random) else { return }
        let kinds: [SDKRecord.PushInteraction.Kind] = [.received, .received, .opened, .dismissed]
        let interaction = SDKRecord.PushInteraction(
            kind: try pick(kinds),
            dispatch: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            pushNumber: send.rawValue
        )
        try await tell(.pushInteraction(interaction), try pick(names), try pick(phones))
    }

    private func consent() async throws {
        let state = try pick(["opted_in", "unsubscribed", "subscribed"])
        try await tell(
            .attributes(AttributeChanges(["push_subscribe": .string(state)])),
            try pick(names),
            try pick(phones)
        )
    }

    private func merge() async throws {
        let (source, target) = (try pick(names), try pick(names))
        guard names.count > 3, source != target else { return }
        let done = try await store.apply(
            [.merge(.external(source), into: .external(target))],
            in: fixture.workspace,
            now: conformance.now
        )
        if done == [.done] { names.removeAll { $0 == source } }
    }

    private func delete() async throws {
        let name = try pick(names)
        let found = try await store.profile(.external(name), in: fixture.workspace)
        guard let profile = found else { return }
        _ = try await store.deleteUsers(
            [profile.id],
            in: fixture.workspace,
            noting: nil,
            now: conformance.now
        )
        deleted.insert(profile.publicID.uuidString.lowercased())
        names.removeAll { $0 == name }
        names.append("person-\(made)")
        made += 1
    }

    private func audit() async throws {
        try await store.addAudit(
            AuditRecord(
                at: conformance.now,
                origin: .console,
                author: "ada",
                action: "tested",
                subject: "\(Int(clock))"
            ),
            in: Bool.random(using: &random) ? fixture.workspace : other.workspace
        )
    }

    private func stop() async throws {
        guard let send = sends.last else { return }
        let now = conformance.now.addingTimeInterval(clock)
        _ = try await store.control(send, .stop, noting: nil, now: now)
        _ = try await store.releaseLeases(owner: "worker", now: now)
    }
}

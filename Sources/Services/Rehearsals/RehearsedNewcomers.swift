import Foundation
import Model
import NoroshiWire
import Ports

/// People who sign up during a rehearsal: each is like somebody who did so in the weeks before, or like anybody
/// where nobody did.
struct RehearsedNewcomers {
    /// Somebody whom newcomers are like.
    struct Model: Sendable {
        let name: String
        let createdAt: Date
        let attributes: [StandardAttribute: JSONValue]
        let device: RestoredUser.OwnDevice?
    }

    struct Newcomer: Sendable {
        let name: String
        /// In the day on which they sign up.
        let number: Int
        let time: Date
        let model: Model
    }

    /// What a newcomer has of the model; names and addresses are nobody else's.
    private static let attributes: Set<StandardAttribute> = [
        .language, .timeZone, .country, .homeCity, .gender,
    ]
    private static let weeks = 4
    /// Models are drawn from at most so many.
    private static let limit = 1_000

    private let settings: RehearsalSettings
    private let chance: RehearsalChance
    private let start: Date
    private var recent: [Model] = []
    private var others: [Model] = []
    private var signedUp = 0

    init(_ settings: RehearsalSettings, _ chance: RehearsalChance) {
        self.settings = settings
        self.chance = chance
        start = settings.from.addingTimeInterval(-Double(Self.weeks * 7) * 86_400)
    }

    /// People who sign up each day: as given, or as they did in the weeks before.
    var perDay: Double { settings.signUpsPerDay ?? Double(signedUp) / Double(Self.weeks * 7) }

    mutating func note(_ user: ExportedUser) {
        let profile = user.profile
        let isRecent = profile.createdAt >= start && profile.createdAt < settings.from
        if isRecent { signedUp += 1 }
        guard (isRecent ? recent : others).count < Self.limit else { return }
        let model = Model(
            name: RehearsalLog.name(of: profile),
            createdAt: profile.createdAt,
            attributes: profile.standard.filter { Self.attributes.contains($0.key) },
            device: user.devices.min {
                $0.device.installation.uuidString < $1.device.installation.uuidString
            }
        )
        if isRecent { recent.append(model) } else { others.append(model) }
    }

    /// Who signs up when, in the order of time.
    func all() -> [Newcomer] {
        let models = (recent.isEmpty ? others : recent).sorted { $0.name < $1.name }
        guard !models.isEmpty else { return [] }
        var newcomers: [Newcomer] = []
        for day in 0..<settings.days {
            let whole = perDay.rounded(.down)
            let more = chance.share("sign-ups", "\(day)") < perDay - whole ? 1 : 0
            for number in 0..<Int(whole) + more {
                let name = "newcomer-\(day + 1)-\(number + 1)"
                let drawn = Int(chance.share("model", name) * Double(models.count))
                let model = models[min(drawn, models.count - 1)]
                // At the hour at which the model came, or at any.
                let offset =
                    recent.isEmpty
                    ? chance.share("hour", name) * 86_400
                    : Self.secondsOfDay(model.createdAt.timeIntervalSince(settings.from))
                let time = settings.from.addingTimeInterval(Double(day) * 86_400 + offset)
                newcomers.append(
                    Newcomer(name: name, number: number, time: time, model: model)
                )
            }
        }
        return newcomers.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    }

    private static func secondsOfDay(_ interval: TimeInterval) -> TimeInterval {
        let rest = interval.truncatingRemainder(dividingBy: 86_400)
        return rest < 0 ? rest + 86_400 : rest
    }
}

extension RehearsedNewcomers.Newcomer {
    /// The one phone of theirs.
    var installation: UUID { UUID(named: "noroshi rehearsal/phone/\(name)".utf8) }

    var device: Device? {
        guard let owned = model.device?.device else { return nil }
        var device = owned
        device.installation = installation
        return device
    }

    /// What their phone, or a server, reports when they sign up.
    func requests(in workspace: WorkspaceID) -> [IngestRequest] {
        let values = model.attributes.map { ($0.key.rawValue, $0.value) }
        var signUp = IngestItem(
            recordID: nil,
            user: .external(name),
            time: time,
            content: .attributes(AttributeChanges(Dictionary(uniqueKeysWithValues: values)))
        )
        // The same groups and variants on every machine.
        signUp.restored = RestoredUser(
            publicID: UUID(named: "noroshi rehearsal/\(name)".utf8),
            createdAt: time
        )
        let made = IngestRequest(workspace: workspace, source: .api, items: [signUp])
        guard let device else { return [made] }
        var contents: [IngestItem.Content] = [.sessionStarted]
        if var push = device.push {
            let token = installation.uuidString.lowercased().filter { $0 != "-" }
            push.token = push.provider == .webPush ? push.token + token : token + token
            push.registeredAt = time
            contents.insert(.pushRegistered(push), at: 0)
        }
        return [
            made,
            RehearsedDevice.request(from: device, of: name, in: workspace, contents, at: time),
        ]
    }
}

import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports
import Reasons

/// People from a file, in a store of their own.
///
/// Identifiers follow from the names in the file, so that the same file gives the same groups and variants
/// on every machine.
package struct RehearsalGuests {
    private static let batch = 5_000
    /// For people without a device.
    private static let app = "app.noroshi.rehearsal"

    private let store: any Store
    private let workspace: WorkspaceID
    private let now: Date

    /// - Parameter now: When they come.
    package init(_ store: any Store, of workspace: WorkspaceID, now: Date) {
        self.store = store
        self.workspace = workspace
        self.now = now
    }

    /// Stores the people of a file of `export users`, or of a table. Who has no device in it gets an iPhone
    /// of their language and zone.
    ///
    /// - Throws: `RehearsalProblem` that names the line and the field of the first row that cannot be stored whole.
    package func add(_ path: String) async throws {
        let isTable = path.lowercased().hasSuffix(".csv")
        guard FileManager.default.fileExists(atPath: path) else {
            throw RehearsalProblem(.noFile, ["path": .text(path)])
        }
        do {
            try await read(try RecordFile(path: path, hasQuotes: isTable), path, isTable: isTable)
        } catch let problem as FieldProblem {
            throw RehearsalProblem.person(path, problem)
        } catch let error as CocoaError {
            throw RehearsalProblem(
                .unreadableFile,
                ["path": .text(path), "reason": .text(error.localizedDescription)]
            )
        }
        try await equip()
    }

    private func read(_ file: RecordFile, _ path: String, isTable: Bool) async throws {
        var reader = ImportReader(kind: .users, columns: nil)
        if isTable {
            guard let header = try file.next() else {
                throw RehearsalProblem(.emptyFile, ["path": .text(path)])
            }
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            reader.columns = try CSVRecord.fields(
                header.bytes.dropFirst(header.bytes.starts(with: mark) ? 3 : 0)
            )
        }
        var apps: [String: App] = [:]
        var items: [IngestItem] = []
        var lines: [Int] = []
        while let record = try file.next() {
            let item: IngestItem
            do throws(FieldProblem) {
                item = try reader.item(record.bytes, id: id("\(path)/\(record.line)"), now: now)
            } catch {
                throw RehearsalProblem.person("\(path):\(record.line)", error)
            }
            items.append(named(item))
            lines.append(record.line)
            for device in item.restored?.devices ?? [] where apps[device.app] == nil {
                apps[device.app] = try await makeApp(device.app, device.device.platform)
            }
            if items.count == Self.batch {
                try await commit(&items, &lines, path)
            }
        }
        try await commit(&items, &lines, path)
    }

    private func id(_ name: String) -> UUID { UUID(named: "noroshi rehearsal/\(name)".utf8) }

    /// With an identifier that follows from the name.
    private func named(_ item: IngestItem) -> IngestItem {
        guard item.restored == nil, case .external(let name) = item.user else { return item }
        var item = item
        item.restored = RestoredUser(publicID: id(name), createdAt: now)
        return item
    }

    private func makeApp(_ identifier: String, _ platform: String) async throws -> App {
        try await store.createApp(
            AppDraft(
                name: identifier,
                platform: platform,
                bundleID: identifier,
                sdkKey: "rehearsal/\(workspace)/\(identifier)"
            ),
            in: workspace,
            noting: nil,
            now: now
        )
    }

    private func commit(
        _ items: inout [IngestItem],
        _ lines: inout [Int],
        _ path: String
    ) async throws {
        guard !items.isEmpty else { return }
        let request = IngestRequest(workspace: workspace, source: .api, items: items)
        let outcomes = try await store.ingest([request], now: now).first ?? []
        for (line, outcome) in zip(lines, outcomes) {
            let problem: FieldProblem?
            switch outcome {
            case .rejected(let whole): problem = whole
            // Without a field it would be somebody else who is played.
            case .stored(let left): problem = left.first
            case .duplicate: problem = nil
            }
            if let problem {
                throw RehearsalProblem.person("\(path):\(line)", problem)
            }
        }
        items = []
        lines = []
    }

    private func equip() async throws {
        var app: App?
        var last: Int64 = 0
        while true {
            let page = try await store.exportUsers(in: workspace, after: last, limit: Self.batch)
            guard let end = page.last?.id else { return }
            last = end
            let bare = page.map(\.user).filter(\.devices.isEmpty)
            guard !bare.isEmpty else { continue }
            let owner: App
            if let known = app {
                owner = known
            } else {
                owner = try await makeApp(Self.app, "ios")
                app = owner
            }
            _ = try await store.ingest(bare.map { phone(of: $0.profile, owner) }, now: now)
        }
    }

    private func phone(of profile: Profile, _ app: App) -> IngestRequest {
        let name = RehearsalLog.name(of: profile)
        let installation = id("phone/\(name)")
        let token = installation.uuidString.lowercased().filter { $0 != "-" }
        let registration = PushRegistration(
            provider: .apns,
            token: token + token,
            environment: .production,
            authorization: .authorized,
            registeredAt: now
        )
        return IngestRequest(
            workspace: workspace,
            source: .device(
                SDKDevice(
                    id: installation,
                    platform: "ios",
                    locale: profile.standard[.language]?.stringValue,
                    timeZone: profile.standard[.timeZone]?.stringValue
                ),
                app: app.id
            ),
            items: [
                IngestItem(
                    recordID: nil,
                    user: profile.externalID.map(UserReference.external)
                        ?? .profile(profile.publicID),
                    time: now,
                    content: .pushRegistered(registration)
                )
            ]
        )
    }
}

import Crypto
import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// Writes facts into the files of a folder. It can be killed at any moment: a file is named by the
/// numbers that it covers and only when it is whole, and what the manifest does not name yet is taken
/// up or written again by the next run.
package final class FactExport {
    package struct Settings: Sendable {
        package var format = FactFormat.ndjson
        package var kinds = Set(Fact.Kind.allCases)
        /// A file has at most so many facts.
        package var rows = 100_000
        /// The facts of so many seconds go into one file while the export follows.
        package var every: TimeInterval = 60
        /// Whether it waits for further facts.
        package var follows = false

        package init() {}
    }

    private let facts: FactService
    private let workspace: WorkspaceID
    private let folder: URL
    private let settings: Settings
    private let now: @Sendable () -> Date
    private let lock: FactFolderLock
    package private(set) var manifest: FactManifest

    /// - Throws: ``FactExportProblem`` if the folder holds something else.
    package init(
        facts: FactService,
        workspace: WorkspaceID,
        named name: String,
        folder: URL,
        settings: Settings,
        now: @escaping @Sendable () -> Date
    ) throws {
        self.facts = facts
        self.workspace = workspace
        self.folder = folder
        self.settings = settings
        self.now = now
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        lock = try FactFolderLock(folder)
        let fresh = FactManifest(
            workspace: name,
            format: settings.format,
            kinds: settings.kinds.map(\.rawValue).sorted()
        )
        manifest = try FactManifest.load(folder) ?? fresh
        guard manifest.version == fresh.version, manifest.workspace == fresh.workspace,
            manifest.format == fresh.format, manifest.kinds == fresh.kinds
        else {
            throw FactExportProblem(
                .otherFacts,
                [
                    "path": .text(folder.path), "workspace": .text(manifest.workspace),
                    "format": .text(manifest.format.rawValue),
                ]
            )
        }
        try takeUp()
    }

    /// Writes what there is, and what comes.
    ///
    /// - Parameter tell: Called with each file that is complete.
    /// - Returns: The number of facts that were written.
    package func run(tell: (FactManifest.File) -> Void = { _ in }) async throws -> Int {
        var written = 0
        while true {
            let (file, isLast) = try await writeFile()
            if let file {
                written += file.rows
                tell(file)
            }
            if isLast, !settings.follows { return written }
        }
    }

    private func writeFile() async throws -> (file: FactManifest.File?, isLast: Bool) {
        let start = manifest.position
        let path = folder.appending(path: ".facts.part").path
        var file: FactFile?
        var position = start
        var (first, last, rows) = (Int64(0), Int64(0), 0)
        var openedAt = now()
        var isLast = false
        while rows < settings.rows {
            let page = try await facts.page(
                in: workspace,
                after: position,
                kinds: settings.kinds,
                limit: min(settings.rows - rows, FactService.limits.upperBound),
                waiting: settings.follows ? 1 : 0
            )
            position = page.position
            isLast = page.isLast
            if let beginning = page.facts.first, let end = page.facts.last {
                if file == nil {
                    file = try FactFile(creating: path)
                    try file?.write(settings.format.heading)
                    first = beginning.number
                    openedAt = now()
                }
                try file?.write(page.facts.map(settings.format.line).joined())
                last = end.number
                rows += page.facts.count
            }
            guard isLast else { continue }
            if !settings.follows { break }
            if rows > 0, now().timeIntervalSince(openedAt) >= settings.every { break }
        }
        guard let file else { return (nil, isLast) }
        let name = Self.name(after: start, to: position, settings.format)
        let bytes = file.bytes
        let hash = try file.finish(as: folder.appending(path: name).path)
        let entry = FactManifest.File(
            name: name,
            first: first,
            last: last,
            rows: rows,
            bytes: bytes,
            sha256: hash
        )
        manifest.files.append(entry)
        manifest.position = position
        try manifest.save(folder)
        return (entry, isLast)
    }

    // MARK: Names

    /// Named by all the numbers that it covers, whether they have facts or not, so that one file
    /// says where the next one begins.
    private static func name(after start: Int64, to end: Int64, _ format: FactFormat) -> String {
        "facts-\(padded(start + 1))-\(padded(end)).\(format.rawValue)"
    }

    private static func padded(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }

    /// Names files that were complete when an earlier run ended before its manifest was.
    private func takeUp() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names {
            let parts = name.split(whereSeparator: { $0 == "-" || $0 == "." })
            guard parts.count == 4, parts[0] == "facts", parts[3] == settings.format.rawValue[...],
                let start = Int64(parts[1]), let end = Int64(parts[2]),
                start == manifest.position + 1
            else { continue }
            manifest.files.append(try described(name))
            manifest.position = end
            try manifest.save(folder)
        }
    }

    private func described(_ name: String) throws -> FactManifest.File {
        let data = try Data(contentsOf: folder.appending(path: name), options: .mappedIfSafe)
        let numbers = try settings.format.numbers(in: data)
        guard let first = numbers.first, let last = numbers.last else {
            throw FactExportProblem(.noFacts, ["name": .text(name)])
        }
        return FactManifest.File(
            name: name,
            first: first,
            last: last,
            rows: numbers.count,
            bytes: data.count,
            sha256: FactFile.text(SHA256.hash(data: data))
        )
    }
}

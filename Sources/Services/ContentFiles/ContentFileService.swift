import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports
import Reasons

/// Exports all content of a workspace to a file, and imports it, here or on another server.
///
/// Running objects are not transferred as such: everything imported is a draft until a member
/// activates it.
package struct ContentFileService: Sendable {
    package typealias Source = WrittenContentStore & CatalogStore

    /// Maximum size of an imported file in bytes: an import is one transaction.
    package static let byteLimit = 512 << 20
    private static let itemPage = 500
    private static let problemLimit = 100

    private let store: any Source
    private let now: @Sendable () -> Date
    private let changesWhatRuns: Bool

    /// - Parameter changesWhatRuns: Whether campaigns that run are stopped to be changed and in-app messages
    ///   changed while they are shown, instead of being refused: for copies that nobody is reached by.
    package init(
        store: any Source,
        now: @escaping @Sendable () -> Date,
        changesWhatRuns: Bool = false
    ) {
        self.store = store
        self.now = now
        self.changesWhatRuns = changesWhatRuns
    }

    // MARK: Out

    /// Calls `write` with each line of the file, including its line end, and returns the number of
    /// lines.
    ///
    /// - Throws: `StoreError` with code `unreadable` if the workspace does not exist.
    package func export(
        _ workspace: WorkspaceID,
        write: (String) throws -> Void
    ) async throws -> Int {
        var count = 0
        try await export(workspace, prefersNames: false) { line in
            try write(JSONWriter.text(line) + "\n")
            count += 1
        }
        return count
    }

    /// Calls `put` with each line of the file as its members.
    ///
    /// - Parameters:
    ///   - prefersNames: Whether segments and campaigns are called by their names in filters and audiences
    ///     where these are unique, as journeys always call them; both are read.
    ///   - isWanted: Whether the items of a catalog are wanted.
    /// - Throws: `StoreError` with code `unreadable` if the workspace does not exist.
    package func export(
        _ workspace: WorkspaceID,
        prefersNames: Bool,
        itemsOf isWanted: (_ catalog: String) -> Bool = { _ in true },
        put: ([String: JSONValue]) throws -> Void
    ) async throws {
        guard let content = try await store.writtenContent(of: workspace) else {
            throw StoreError(.unreadable, .noWorkspace, ["id": "\(workspace.rawValue)"])
        }
        let lines = try ContentWriter(content, prefersNames: prefersNames).lines()
        for line in lines.before { try put(line) }
        for catalog in content.catalogs.map(\.name).sorted() where isWanted(catalog) {
            var last: String?
            repeat {
                let page = try await store.catalogItems(
                    after: last,
                    limit: Self.itemPage,
                    in: catalog,
                    of: workspace
                )
                for item in page { try put(ContentWriter.line(item, of: catalog)) }
                last = page.count < Self.itemPage ? nil : page.last?.id
            } while last != nil
        }
        for line in lines.after { try put(line) }
    }

    // MARK: Journeys one by one

    private static let journeyLayout = JSONLayout(
        first: ["kind", "id", "name", "note", "tags", "type"],
        last: ["steps", "next"]
    )

    /// A journey's draft as a file that people read and write: one JSON object over several lines.
    /// `nil` if the journey does not exist.
    package func text(ofJourney id: UUID, in workspace: WorkspaceID) async throws -> String? {
        guard let content = try await store.writtenContent(of: workspace),
            let journey = content.journeys.first(where: { $0.apiID == id })
        else { return nil }
        return Self.journeyLayout.text(.object(try ContentWriter(content).line(journey)))
    }

    /// Imports the file of one journey, as ``bringIn(_:by:)`` with one line. A file without an
    /// identifier is a new journey.
    ///
    /// - Returns: The identifier of the journey.
    /// - Throws: `ValidationError` that names lines of the text and fields; nothing is stored then.
    package func bringIn(
        journey text: [UInt8],
        makeID: () -> UUID,
        by actor: Actor
    ) async throws -> (id: UUID, outcome: ContentFileOutcome) {
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes: text)
        } catch {
            throw ValidationError([
                FieldProblem("line", .noJSON, ["reason": .reason(error.reason)]).inLine(1)
            ])
        }
        guard case .object(var members) = document.root.value else {
            throw ValidationError([FieldProblem("line", .noJSONObject).inLine(1)])
        }
        members["kind"] = members["kind"] ?? .string(ContentKind.journey.rawValue)
        members["id"] = members["id"] ?? .string(ContentWriter.text(makeID()))
        members["steps"] = members["steps"].map { Self.identified($0, makeID) }
        do {
            guard members["kind"] == .string(ContentKind.journey.rawValue) else {
                throw ValidationError([
                    FieldProblem("kind", .isOneOf, ["known": "journey"]).inLine(1)
                ])
            }
            let line = (number: 1, bytes: Array(JSONWriter.text(members).utf8))
            let outcome = try await bringIn([line], by: actor)
            let id = members["id"]?.stringValue.flatMap(UUID.init(uuidString:))
            return (id ?? makeID(), outcome)
        } catch let error as ValidationError {
            throw ValidationError(
                error.problems.map { problem in
                    guard case .line(_, let field) = problem.path else { return problem }
                    let node = document.root.nearest(to: field)
                    return FieldProblem(.line(node.line, field: field), problem.reason)
                }
            )
        }
    }

    /// Gives steps and variants that are new their identifiers.
    private static func identified(_ elements: JSONValue, _ makeID: () -> UUID) -> JSONValue {
        guard case .array(let elements) = elements else { return elements }
        return .array(
            elements.map { element in
                guard case .object(var step) = element else { return element }
                step["id"] = step["id"] ?? .string(ContentWriter.text(makeID()))
                if case .array(let variants)? = step["variants"] {
                    step["variants"] = .array(
                        variants.map { variant in
                            guard case .object(var members) = variant else { return variant }
                            members["api_id"] =
                                members["api_id"] ?? .string(ContentWriter.text(makeID()))
                            return .object(members)
                        }
                    )
                }
                return .object(step)
            }
        )
    }

    // MARK: In

    /// Imports a file in one transaction.
    ///
    /// Objects with the same identifier, or catalogs with the same name, are replaced by those of
    /// the file; other objects are unchanged. Running objects are not changed.
    ///
    /// - Parameter records: The lines with their numbers.
    /// - Throws: `ValidationError`; nothing is stored then.
    package func bringIn(
        _ records: some Sequence<(number: Int, bytes: [UInt8])>,
        by actor: Actor
    ) async throws -> ContentFileOutcome {
        try await change(try Self.lines(records), by: actor) { changes, reader in
            (changes, reader.outcome)
        }
    }

    /// What importing a file would do to each row it describes, items of catalogs left out. Nothing
    /// is stored.
    ///
    /// - Throws: `ValidationError` for a file that would not be imported.
    package func compare(
        _ records: some Sequence<(number: Int, bytes: [UInt8])>,
        by actor: Actor
    ) async throws -> [ContentComparison] {
        try actor.require(.administrator)
        return try await compare(records, in: actor.workspace, author: actor.name)
    }

    /// The same for whoever may see the difference.
    ///
    /// - Parameter author: Of rows that are new and name none.
    /// - Throws: `ValidationError` for a file that would not be imported.
    package func compare(
        _ records: some Sequence<(number: Int, bytes: [UInt8])>,
        in workspace: WorkspaceID,
        author: String = ""
    ) async throws -> [ContentComparison] {
        let lines = try Self.lines(records)
        let state = try await store.writtenContentState(
            of: workspace,
            identifiers: Self.identifiers(lines)
        )
        guard let state else {
            throw StoreError(.unreadable, .noWorkspace, ["id": "\(workspace.rawValue)"])
        }
        let time = now()
        var reader = ContentReader(
            lines,
            state,
            workspace: workspace,
            now: time,
            audit: AuditRecord(at: time, origin: .api, author: author, action: "", subject: ""),
            changesWhatRuns: changesWhatRuns
        )
        _ = try reader.read()
        return reader.comparisons
    }

    private static func identifiers(_ lines: [ContentLine]) -> Set<UUID> {
        Set(lines.filter(\.kind.hasIdentifier).compactMap { try? $0.id() })
    }

    /// Imports a file if that does exactly what ``compare(_:by:)`` has said.
    ///
    /// - Parameter files: The files that say it, which own the rows from now on; `nil` keeps those before.
    /// - Returns: `nil` if the content has been changed since then, so that something else would
    ///   happen; nothing is stored then.
    package func bringIn(
        _ records: some Sequence<(number: Int, bytes: [UInt8])>,
        ifStill comparisons: [ContentComparison],
        files: [FolderFile]? = nil,
        by actor: Actor
    ) async throws -> ContentFileOutcome? {
        try await change(try Self.lines(records), by: actor) { changes, reader in
            guard reader.comparisons == comparisons else {
                return (WrittenContentChanges(audit: changes.audit), nil)
            }
            var changes = changes
            changes.files = files
            return (changes, reader.outcome)
        }
    }

    private static func lines(
        _ records: some Sequence<(number: Int, bytes: [UInt8])>
    ) throws(ValidationError) -> [ContentLine] {
        var lines: [ContentLine] = []
        var problems: [FieldProblem] = []
        for record in records where problems.count < problemLimit {
            do throws(FieldProblem) {
                let line = try ContentLine(record.bytes, number: record.number)
                if line.kind.hasIdentifier { _ = try line.id() }
                lines.append(line)
            } catch {
                problems.append(error.inLine(record.number))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        return lines
    }

    private func change<Outcome: Sendable>(
        _ lines: [ContentLine],
        by actor: Actor,
        _ decide:
            @escaping @Sendable (WrittenContentChanges, ContentReader) -> (
                WrittenContentChanges, Outcome
            )
    ) async throws -> Outcome {
        try actor.require(.administrator)
        let time = now()
        let workspace = actor.workspace
        let audit = AuditRecord(
            at: time,
            origin: actor.origin,
            author: actor.name,
            action: "content_imported",
            subject: "\(lines.count) lines"
        )
        do {
            return try await store.changeWrittenContent(
                of: workspace,
                identifiers: Self.identifiers(lines),
                now: time
            ) { [changesWhatRuns] state in
                var reader = ContentReader(
                    lines,
                    state,
                    workspace: workspace,
                    now: time,
                    audit: audit,
                    changesWhatRuns: changesWhatRuns
                )
                return decide(try reader.read(), reader)
            }
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError([
                FieldProblem("name", .notStored, ["reason": .reason(error.reason)]).inLine(0)
            ])
        }
    }
}

/// The outcome of importing a file.
package struct ContentFileOutcome: Sendable, Hashable {
    package var added = 0
    package var changed = 0
    package var unchanged = 0
    /// Items of catalogs, which are compared one by one as they are stored.
    package var items = 0

    package init() {}
}

import Ports
import ArgumentParser
import Audience
import Foundation
import Logging
import Model
import Segments
import Server
import StoreSQLite

struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract:
            "Counts and explains segments, uploads lists, compares the columns with the rows.",
        subcommands: [Count.self, Explain.self, Verify.self, Upload.self, Export.self]
    )

    struct Count: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts whom a filter finds, such as 'country = \"JP\" and session done'."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "A segment's name, or a filter in the text form.")
        var segment: String

        func run() async throws {
            let audience = try await OpenAudience(options.openExisting())
            let rule = try audience.rule(segment)
            try await audience.read()
            let selection = try await audience.service.select(
                rule,
                book: audience.book,
                in: audience.workspace
            )
            let count = try await audience.service.count(selection)
            print("\(count.users) users, \(count.reachable) of them reachable by push")
            for (platform, devices) in count.devices.sorted(by: { $0.key < $1.key }) {
                print("  \(platform): \(devices) devices")
            }
        }
    }

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says whether a user is in a segment, and what each filter found."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Any identifier: external id, e-mail, phone, alias, token.")
        var user: String
        @Argument(help: "A segment's name, or a filter in the text form.")
        var segment: String

        func run() async throws {
            let audience = try await OpenAudience(options.openExisting())
            let rule = try audience.rule(segment)
            let profile = try await audience.profile(user)
            guard
                let explanation = try await audience.service.explain(
                    rule,
                    for: profile.id,
                    in: audience.workspace
                )
            else { throw ValidationError("the user '\(user)' is gone") }
            let name = profile.externalID ?? profile.publicID.uuidString.lowercased()
            print("\(name) is \(explanation.holds ? "in" : "not in") the segment.")
            write(explanation, indent: "")
        }

        private func write(_ explanation: SegmentExplanation, indent: String) {
            let mark = explanation.holds ? "yes" : "no "
            let found = explanation.found.map { "  (\($0.text))" } ?? ""
            print("\(indent)\(mark)  \(explanation.text)\(found)")
            for child in explanation.children { write(child, indent: indent + "    ") }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Builds the columns and compares them with the rows; fails when they differ.",
            discussion: """
                Every value, device, occurrence and list is compared, and each segment is evaluated \
                on the columns and once more user by user on the rows.
                """
        )

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let audience = try await OpenAudience(options.openExisting())
            let view = try await audience.store.audienceView()
            let rows = try await view.rows(of: audience.workspace)
            let columns = try await AudienceBuilder.build(from: rows)
            var isEqual = true
            let differences = try await columns.differences(from: rows)
            for difference in differences {
                isEqual = false
                print(difference)
            }
            let segments = try await audience.store.segments(in: audience.workspace)
            for segment in segments {
                guard let rule = audience.book.rule(ofSegment: "\(segment.id)") else {
                    isEqual = false
                    print("segment '\(segment.content.name)' cannot be read")
                    continue
                }
                let found = try await columns.verify(
                    rule,
                    at: try await audience.service.time(of: .now, in: audience.workspace),
                    directory: audience.book,
                    source: rows
                )
                guard !found.isEmpty else { continue }
                isEqual = false
                print(
                    "segment '\(segment.content.name)': \(found.onlyInColumns.count) users only in "
                        + "the columns, \(found.onlyInRows.count) only in the rows: "
                        + "\((found.onlyInColumns + found.onlyInRows).prefix(10))"
                )
            }
            print(
                "\(columns.count) users and \(segments.count) segments compared: "
                    + (isEqual ? "columns and rows agree" : "they differ")
            )
            if !isEqual { throw ExitCode.failure }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints every row that is stored of one user, as JSON."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Any identifier: external id, e-mail, phone, alias, token.")
        var user: String

        func run() async throws {
            let audience = try await OpenAudience(options.openExisting())
            let profile = try await audience.profile(user)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let rows = try await audience.store.rows(of: profile.id)
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        }
    }

    struct Upload: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Makes or replaces a list from a CSV file, for filters such as in list \"vip\"."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "What the list is called.")
        var name: String
        @Argument(
            help: "A CSV file with external ids in its first column; a header is passed over."
        )
        var file: String

        func run() async throws {
            let audience = try await OpenAudience(options.openExisting())
            guard let content = FileManager.default.contents(atPath: file) else {
                throw ValidationError("the file '\(file)' cannot be read")
            }
            let lists = UserListService(store: audience.store, now: World.live.now)
            let upload: UserListService.Upload
            do {
                upload = try await lists.upload(
                    Array(content),
                    as: name,
                    by: .commandLine(account: NSUserName(), audience.workspace)
                )
            } catch let refusal as UserListService.Refusal {
                throw ValidationError(refusal.description)
            }
            print("The list '\(upload.list.name)' has \(upload.list.users) users.")
            if !upload.unknown.isEmpty {
                let some = upload.unknown.prefix(5).joined(separator: ", ")
                let noun = upload.unknown.count == 1 ? "id is" : "ids are"
                print("\(upload.unknown.count) \(noun) of no user: \(some)")
            }
        }
    }
}

/// The audience of one workspace, for a command.
private struct OpenAudience {
    let store: SQLiteStore
    let service: AudienceService
    let workspace: WorkspaceID
    let book: SegmentBook

    init(_ opened: OpenWorkspace) async throws {
        store = opened.store
        workspace = opened.id
        service = AudienceService(
            store: store,
            now: World.live.now,
            logger: .command(opened.settings.logLevel)
        )
        book = try await SegmentService(store: store, now: World.live.now).book(of: workspace)
    }

    /// Reads all users into memory, which counting needs; on a terminal it shows how far that is,
    /// because it can take seconds.
    func read() async throws {
        let isShown = isatty(2) == 1
        func show(_ text: String) {
            FileHandle.standardError.write(Data("\r\(text)\u{1B}[K".utf8))
        }
        let meter = Task {
            while isShown, !Task.isCancelled {
                show(service.status.text)
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        defer {
            meter.cancel()
            if isShown { show("") }
        }
        try await service.rebuild()
    }

    /// The user who has an identifier.
    func profile(_ identifier: String) async throws -> Profile {
        let found = try await store.profiles(identifiedBy: identifier, in: workspace, limit: 2)
        guard let profile = found.first else {
            throw ValidationError("there is no user '\(identifier)'")
        }
        if found.count > 1 {
            let note = "Several users have this identifier; this is the latest one.\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        return profile
    }

    /// The rule of a segment by name, or of a filter in the text form.
    func rule(_ text: String) throws -> SegmentRule {
        if let rule = book.rule(ofSegment: text) { return rule }
        do throws(SegmentProblem) {
            return try book.rule(text: text)
        } catch {
            let place =
                error.lineAndColumn(in: text)
                .map { "line \($0.line), column \($0.column): " } ?? ""
            throw ValidationError(place + error.message)
        }
    }
}

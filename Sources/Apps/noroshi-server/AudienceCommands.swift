import Analytics
import ArgumentParser
import Audience
import Foundation
import Logging
import Model
import Reasons
import Segments
import Server
import Users

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
            let audience = AudienceHandle(try await options.openExisting())
            try await audience.read()
            let found = try await audience.inspecting(segment) {
                try await audience.inspector.find($0, in: audience.workspace)
            }
            print("\(found.users) users, \(found.reachableUsers) of them reachable by push")
            for (platform, devices) in found.devices.sorted(by: { $0.key < $1.key }) {
                print("  \(platform): \(devices) devices")
            }
            if let since = found.completeSince {
                let time = Timestamp.format(since)
                print(
                    "it looks further back than events or sessions are kept; complete since \(time)"
                )
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
            let audience = AudienceHandle(try await options.openExisting())
            let profile = try await audience.profile(user)
            guard
                let explanation = try await audience.inspecting(
                    segment,
                    {
                        try await audience.inspector.explain(
                            $0,
                            for: profile.id,
                            in: audience.workspace
                        )
                    }
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
            let audience = AudienceHandle(try await options.openExisting())
            let found = try await audience.inspector.compare(in: audience.workspace)
            for difference in found.differences { print(difference) }
            for (segment, disagreement) in found.segments {
                guard let disagreement else {
                    print("segment '\(segment.content.name)' cannot be read")
                    continue
                }
                guard !disagreement.isEmpty else { continue }
                let users = disagreement.onlyInColumns + disagreement.onlyInRows
                print(
                    "segment '\(segment.content.name)': \(disagreement.onlyInColumns.count) users "
                        + "only in the columns, \(disagreement.onlyInRows.count) only in the rows: "
                        + "\(users.prefix(10))"
                )
            }
            print(
                "\(found.users) users and \(found.segments.count) segments compared: "
                    + (found.isEqual ? "columns and rows agree" : "they differ")
            )
            if !found.isEqual { throw ExitCode.failure }
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
            let audience = AudienceHandle(try await options.openExisting())
            let profile = try await audience.profile(user)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let rows = try await audience.users.rows(of: profile.id)
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
            let audience = AudienceHandle(try await options.openExisting())
            guard let content = FileManager.default.contents(atPath: file) else {
                throw ValidationError("the file '\(file)' cannot be read")
            }
            let upload: UserListService.Upload
            do {
                upload = try await audience.lists.upload(
                    Array(content),
                    as: name,
                    by: audience.actor
                )
            } catch let error as Model.ValidationError {
                throw ValidationError(error.problems.map(\.message).joined(separator: "; "))
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
private struct AudienceHandle {
    let service: SegmentationService
    let inspector: SegmentInspector
    let users: UserDirectory
    let lists: UserListService
    let actor: Actor

    var workspace: WorkspaceID { actor.workspace }

    init(_ opened: WorkspaceHandle) {
        let store = opened.store
        service = SegmentationService(
            store: store,
            now: ServerDependencies.live.now,
            logger: .command(opened.settings.log.level)
        )
        inspector = SegmentInspector(
            segments: SegmentService(store: store, now: ServerDependencies.live.now),
            audience: service
        )
        users = UserDirectory(store: store, figures: ReportCache(feed: ChangeFeed()))
        lists = UserListService(store: store, now: ServerDependencies.live.now)
        actor = opened.actor
    }

    /// Reads all users into memory, as required for counting; on a terminal it shows the progress,
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
        guard let found = try await users.user(identifiedBy: identifier, in: workspace) else {
            throw ValidationError("there is no user '\(identifier)'")
        }
        if !found.isOnlyOne {
            let note = "Several users have this identifier; this is the latest one.\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        return found.summary.profile
    }

    /// Works with the condition of a segment, given by name, or a filter in the text form, and
    /// reports syntax errors with their location.
    func inspecting<Value>(
        _ text: String,
        _ body: (_ condition: String) async throws -> Value
    ) async throws -> Value {
        let text = try await inspector.condition(ofSegment: text, in: workspace) ?? text
        do {
            return try await body(text)
        } catch let problem as SegmentError {
            throw ValidationError("\(problem.placed(in: text))")
        } catch let problem as AudienceError {
            throw ValidationError("\(problem.reason)")
        }
    }
}

import ArgumentParser
import ContentFiles
import ContentFolders
import Foundation
import Model
import Server

extension ContentFolder {
    /// The folder at a path, with a workspace.
    ///
    /// - Parameter isCopy: Whether the workspace is a copy that nobody is reached by.
    init(_ path: String, _ opened: WorkspaceHandle, isCopy: Bool = false) {
        self.init(
            URL(fileURLWithPath: path),
            service: ContentFileService(
                store: opened.store,
                now: ServerDependencies.live.now,
                changesWhatRuns: isCopy
            ),
            actor: opened.actor
        )
    }

    /// Applies all of it to a copy, and says nothing of that in the lock file.
    ///
    /// - Throws: `FolderError`.
    func applyToCopy() async throws -> FolderPlan {
        let plan = try await plan()
        if !plan.isEmpty, try await apply(plan.id, isCopy: true) == nil {
            throw ValidationError("the folder was changed while it was read")
        }
        return plan
    }
}

struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Writes what people have written in a workspace into a folder of files.",
        discussion: """
            Segments, campaigns, journeys, in-app messages, news, content blocks, catalogs, \
            preference centers, subscription groups, limits and settings get a YAML file each; \
            long texts and the rows of catalogs get files beside it. noroshi.lock says which row a \
            file is: commit it with the files.

            A file that says what the workspace says is left as it is, with its comments and its \
            order. A file that was edited here and not applied is left alone, too; one that was \
            changed on both sides is named, and nothing is written.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "The folder; made if it is missing.")
    var folder: String
    @Flag(help: "Also replaces files that were edited here.")
    var overwrite = false

    func run() async throws {
        let opened = try await options.openExisting()
        let pull: FolderPull
        do {
            pull = try await ContentFolder(folder, opened).pull(overwrites: overwrite)
        } catch let error as FolderError {
            throw ValidationError("nothing was written\n\(error)")
        }
        for path in pull.written { print("written  \(path)") }
        for path in pull.removed { print("removed  \(path)") }
        for path in pull.waiting { print("edited   \(path)  (not applied yet)") }
        print(
            "\(pull.written.count) written, \(pull.removed.count) removed, "
                + "\(pull.unchanged) unchanged"
        )
    }
}

struct PatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch",
        abstract: "Prints what makes the files that were applied last say what the workspace says.",
        discussion: """
            For whoever has changed in the console what comes from files: it is what the console \
            offers then. In the repository, `git apply --directory=content` takes it.
            """
    )

    @OptionGroup var options: WorkspaceOptions

    func run() async throws {
        let opened = try await options.openExisting()
        let folders = FolderOwnership(store: opened.store, now: ServerDependencies.live.now)
        print(try await folders.patch(in: opened.id).text, terminator: "")
    }
}

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Says what applying a folder would change, and changes nothing.",
        discussion: """
            Files with mistakes are named with line and column. The plan has a number: `apply` \
            takes it, and does nothing if anything has been changed since. With \
            --expect-no-changes it ends with 1 where there is something to apply, with \
            --max-change 20 where a segment, campaign or in-app message would reach over 20 % more \
            or fewer users than now. Campaigns, journeys and in-app messages that change are \
            reviewed as the console does, on a copy that is thrown away.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "The folder.")
    var folder: String
    @Flag(
        help:
            "Leaves out how many users are reached and the review; both read all users into memory."
    )
    var noCounts = false
    @Flag(help: "Ends with 1 if there is something to apply.")
    var expectNoChanges = false
    @Option(
        help: "Ends with 1 if something would reach over this many percent more or fewer users."
    )
    var maxChange: Double?

    func validate() throws {
        guard let maxChange else { return }
        guard maxChange >= 0, maxChange.isFinite else {
            throw ValidationError("--max-change is a percentage from 0 on")
        }
        if noCounts { throw ValidationError("--max-change needs counts; leave out --no-counts") }
    }

    func run() async throws {
        let opened = try await options.openExisting()
        let plan = try await FolderPlanText.plan(folder, opened)
        let text = FolderPlanText(plan)
        let counts = noCounts ? [] : try await text.counts(opened)
        print(
            try text.text(
                counts,
                noCounts ? [] : try await FolderReview.found(folder, plan, opened)
            )
        )
        guard !plan.isEmpty else { return }
        if expectNoChanges { throw ExitCode(1) }
        if let maxChange {
            let large = counts.filter { $0.change > maxChange }
            for count in large {
                print("\(count.path) changes by more than \(maxChange.formatted()) %")
            }
            if !large.isEmpty { throw ExitCode(1) }
        }
        print("Apply it with: noroshi apply \(folder) --plan \(plan.id)")
    }
}

struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Does what the plan of a folder says, in one transaction.",
        discussion: """
            It takes the plan that was shown: with --plan its number, otherwise it shows the plan \
            and asks. If the files or the workspace have been changed since, nothing is stored. \
            What comes in is a draft until somebody activates it; what runs is stopped before it \
            is changed; what only the workspace has stays.

            The console tells whoever edits a row that it comes from a file of this folder, and what \
            that would have to say, until another folder is applied or --release ends it.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "The folder.")
    var folder: String?
    @Option(help: "The number that `plan` has shown.")
    var plan: String?
    @Flag(help: "Applies nothing: no row comes from a file any more.")
    var release = false

    func validate() throws {
        guard release == (folder == nil), !release || plan == nil else {
            throw ValidationError("name a folder, or --release alone")
        }
    }

    func run() async throws {
        let opened = try await options.openExisting()
        guard let folder else { return try await release(opened) }
        guard let id = try await wanted(folder, opened) else { return }
        do {
            guard let applied = try await ContentFolder(folder, opened).apply(id) else {
                throw ValidationError(
                    "nothing was stored: the folder or the workspace has been changed since the "
                        + "plan \(id); look at a new one"
                )
            }
            let new = applied.entries.filter(\.isNew).count
            let rows = applied.rows.reduce(0) { $0 + $1.added + $1.changed }
            var text = "\(new) added, \(applied.entries.count - new) changed"
            if rows > 0 { text += ", \(rows) rows of catalogs" }
            print(text)
        } catch let error as FolderError {
            throw ValidationError("nothing was stored\n\(error)")
        }
    }

    private func release(_ opened: WorkspaceHandle) async throws {
        let folders = FolderOwnership(store: opened.store, now: ServerDependencies.live.now)
        let rows = try await folders.release(by: opened.actor)
        print("\(rows) rows came from files; none does now")
    }

    private func wanted(_ folder: String, _ opened: WorkspaceHandle) async throws -> String? {
        if let plan { return plan }
        let found = try await FolderPlanText.plan(folder, opened)
        let text = FolderPlanText(found)
        print(
            try text.text(
                try await text.counts(opened),
                try await FolderReview.found(folder, found, opened)
            )
        )
        // The files may have other comments, or be those of another folder.
        guard !found.isEmpty else { return found.id }
        guard isatty(0) == 1 else {
            throw ValidationError("name the plan that was reviewed: --plan \(found.id)")
        }
        print("Apply this plan? [y/N] ", terminator: "")
        guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else { return nil }
        return found.id
    }
}

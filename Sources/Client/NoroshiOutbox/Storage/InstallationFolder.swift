import Foundation

/// Where an installation keeps its files: one folder for each SDK key, so that two apps of one
/// group, or a test and a production key, do not mix.
enum InstallationFolder {
    /// The folder for `configuration`: the one it names, the App Group's, or the process's own.
    static func url(
        for configuration: NoroshiConfiguration,
        _ dependencies: NoroshiDependencies
    ) -> URL {
        if let directory = configuration.storage.directory {
            return directory.appendingPathComponent(name(configuration), isDirectory: true)
        }
        if let group = configuration.push.appGroup {
            if let container = dependencies.groupContainer(group) {
                return container.appendingPathComponent(name(configuration), isDirectory: true)
            }
            configuration.logger.log(
                .error,
                "the App Group \(group) is not among the entitlements; what extensions record "
                    + "stays in their own containers"
            )
        }
        return privateURL(for: configuration, dependencies)
    }

    /// The folder that no other process sees.
    static func privateURL(
        for configuration: NoroshiConfiguration,
        _ dependencies: NoroshiDependencies
    ) -> URL {
        dependencies.privateContainer()
            .appendingPathComponent(name(configuration), isDirectory: true)
    }

    private static func name(_ configuration: NoroshiConfiguration) -> String {
        "Noroshi/\(String(CRC32.checksum(configuration.api.key.utf8), radix: 16))"
    }
}

extension Recorder {
    /// Takes over what was stored before the app had an App Group: its identity, its session and
    /// the records that wait. An extension that was first in the group's folder has made an
    /// identity of its own there, which gives way; what it recorded stays.
    ///
    /// If the process dies in between, the next start takes the same records over again, and the
    /// server counts each once.
    func adoptPrivateFolder(isExtension: Bool) {
        let before = InstallationFolder.privateURL(for: configuration, dependencies)
        guard configuration.storage.directory == nil, configuration.push.appGroup != nil,
            before != store.directory,
            FileManager.default.fileExists(atPath: before.path)
        else { return }
        let earlier = InstallationStore(
            directory: before,
            maximumBytes: configuration.storage.maximumBytes,
            makeID: dependencies.makeID
        )
        do {
            let (records, _, state) = try earlier.oldestRecords(count: .max, bytes: .max)
            try store.access { access in
                for record in records { try access.append(record) }
                // The container of an extension is not the app's, and its identity nobody's.
                access.state =
                    isExtension
                    ? access.state.joined(by: state) : state.joined(by: access.state)
            }
            let messages = "in-app-messages.json"
            if let shown = earlier.readFile(messages) { try store.writeFile(messages, shown) }
            try FileManager.default.removeItem(at: before)
        } catch {
            logger.log(.error, "what was stored before the App Group could not be moved: \(error)")
        }
    }
}

import Foundation

/// The folder of an installation's files: one for each SDK key, so that two apps of one group, or a
/// test and a production key, are kept apart.
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

    /// The folder that is private to this process.
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
    /// Transfers the data stored before the app had an App Group: its identity, its session and the
    /// waiting records. If an extension used the group's folder first, it has created an identity
    /// there, which is replaced; its records are kept.
    ///
    /// If the process dies in between, the next start transfers the same records again, and the
    /// server stores each once.
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
                // The container of an extension is not the app's, and its identity is not used.
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

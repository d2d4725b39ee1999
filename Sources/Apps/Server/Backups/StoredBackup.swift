/// A finished backup, wherever it is.
package struct StoredBackup: Sendable {
    /// The path of its folder, or its address in a bucket.
    package let address: String
    package let manifest: BackupManifest

    init(address: String, manifest: BackupManifest) {
        self.address = address
        self.manifest = manifest
    }

    init(_ folder: BackupFolder) {
        self.init(address: folder.path, manifest: folder.manifest)
    }
}

/// The platform of a dispatch, so that it still counts there after its device is deleted.
enum GoneDeviceSchema {
    /// Written when the row of the device is deleted. NULL while the device exists, and in
    /// dispatches whose device was deleted before this migration.
    static let sql = "ALTER TABLE dispatches ADD COLUMN device_platform TEXT;"
}

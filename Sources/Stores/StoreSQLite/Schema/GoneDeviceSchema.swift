/// A row of the ledger counts on the platform that it was for, also when the device is gone.
enum GoneDeviceSchema {
    /// Written when the row of the device is deleted; null while the device says it itself, and in
    /// rows whose device was deleted before this step.
    static let sql = "ALTER TABLE dispatches ADD COLUMN device_platform TEXT;"
}

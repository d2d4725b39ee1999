/// Segments use the time zone and the locale of a user's most recently used device, so the triggers
/// also write a note when another device becomes the most recent one.
enum DeviceReportSchema {
    static let sql = """
        DROP TRIGGER device_updated;
        CREATE TRIGGER device_updated AFTER UPDATE ON devices
        WHEN NEW.profile_id <> OLD.profile_id OR NEW.platform IS NOT OLD.platform
            OR NEW.model IS NOT OLD.model OR NEW.os_version IS NOT OLD.os_version
            OR NEW.app_version IS NOT OLD.app_version OR NEW.locale IS NOT OLD.locale
            OR NEW.time_zone IS NOT OLD.time_zone
            OR NEW.push_token IS NOT OLD.push_token
            OR NEW.push_environment IS NOT OLD.push_environment
            OR NEW.push_authorization IS NOT OLD.push_authorization
            OR NEW.updated_at <> OLD.updated_at AND EXISTS (
                SELECT 1 FROM devices WHERE profile_id = NEW.profile_id AND id <> NEW.id
                AND updated_at BETWEEN min(OLD.updated_at, NEW.updated_at)
                    AND max(OLD.updated_at, NEW.updated_at))
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.profile_id, 0);
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            SELECT OLD.workspace_id, OLD.profile_id, 0 WHERE OLD.profile_id <> NEW.profile_id;
        END;
        """
}

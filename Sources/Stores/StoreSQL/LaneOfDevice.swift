/// The lane of a row of `devices`, numbered as in `DeliveryLane`.
enum LaneOfDevice {
    static let sql = """
        devices.app_id * 8 + CASE devices.push_provider
            WHEN 'apns' THEN 1 WHEN 'fcm' THEN 2 WHEN 'webpush' THEN 3 ELSE 0 END
        """
}

import Foundation
import Noroshi
import NoroshiOutbox

extension RKZService {
    /// Registers the device token, in lowercase hexadecimal, for the user `userAccessToken`.
    public func registPushDeviceToken(
        _ userAccessToken: String,
        deviceToken: String,
        withBlock block: @escaping StatusBlock
    ) {
        perform(as: userAccessToken) { noroshi in
            Self.register(deviceToken, with: noroshi)
        } then: {
            block($0.statusCode, $0)
        }
    }

    /// Removes the device token of the user `userAccessToken`, for example after a logout.
    public func clearPushDeviceToken(
        _ userAccessToken: String,
        withBlock block: @escaping StatusBlock
    ) {
        perform(as: userAccessToken) { noroshi in
            noroshi.notifications.unregisterPush()
            return .success(())
        } then: {
            block($0.statusCode, $0)
        }
    }

    /// Records that the user `userAccessToken` has opened the push `pushNo`; a repeated call counts
    /// once.
    public func openPush(
        _ userAccessToken: String,
        pushNo: NSNumber,
        withBlock block: @escaping StatusBlock
    ) {
        perform(as: userAccessToken) { noroshi in
            noroshi.notifications.logOpen(pushNumber: pushNo.int64Value).map { _ in }
        } then: {
            block($0.statusCode, $0)
        }
    }

    static func register(
        _ deviceToken: String,
        with noroshi: Noroshi
    ) -> Result<Void, NoroshiError> {
        guard let bytes = bytes(ofHexadecimal: deviceToken) else {
            return .failure(
                NoroshiError(
                    code: .invalidInput,
                    field: "deviceToken",
                    message: "the token is not hexadecimal with two digits a byte"
                )
            )
        }
        noroshi.notifications.register(deviceToken: bytes)
        return .success(())
    }

    private static func bytes(ofHexadecimal text: String) -> Data? {
        let digits = text.compactMap(\.hexDigitValue)
        guard !digits.isEmpty, digits.count == text.count, digits.count.isMultiple(of: 2) else {
            return nil
        }
        var bytes = Data(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            bytes.append(UInt8(digits[index] * 16 + digits[index + 1]))
        }
        return bytes
    }
}

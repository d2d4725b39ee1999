import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

extension Noroshi {
    /// How long nothing else is sent while a deletion is under way, in seconds; longer than a request
    /// may take.
    private static let deletionSeconds: TimeInterval = 60

    /// Asks the server to delete the current user with everything it has of them, and then forgets
    /// them here, as ``wipeData()`` does: a nameless user of a new installation remains, which the
    /// app has to register for pushes again.
    ///
    /// The server deletes a user with a name only with that user's signed token, so this needs SDK
    /// authentication; apps without it let their own server call `/users/delete`. A nameless user is
    /// deleted from the installation they are on.
    /// - Throws: `NoroshiError` if the server did not delete the user; then nothing is deleted
    ///   here either, and the call can be repeated.
    public func deleteUserData() async throws {
        // What waits belongs to the user too; sent later, it would make the user anew.
        await flush()
        let (holder, now) = (recorder.dependencies.makeID(), recorder.dependencies.now())
        let isFree = try recorder.store.acquireUploadLock(
            by: holder,
            until: now.addingTimeInterval(Self.deletionSeconds),
            now: now
        )
        guard isFree else {
            throw NoroshiError(
                code: .storage,
                message: "an extension of the app is sending; delete the user again in a moment"
            )
        }
        defer {
            // If it cannot be released now, it ends by itself.
            try? recorder.store.releaseSending(by: holder)
        }
        guard let state = recorder.state else {
            throw NoroshiError(code: .storage, message: "the user's name could not be read")
        }
        try await post(
            "sdk/v1/users/delete",
            SDKDeletion(
                device: state.deviceID,
                user: state.user,
                signature: state.externalID.flatMap { state.signatures[$0] }
            )
        )
        wipeData()
    }
}

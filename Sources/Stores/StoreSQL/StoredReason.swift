import Foundation
import Model
import Reasons

/// Reasons as they are stored: as JSON, so that they can be said in any language. Earlier versions
/// stored their sentences.
enum StoredReason {
    static func text(_ reason: Reason?) throws -> String? {
        try reason.map { try StoredJSON.text($0) }
    }

    static func value(_ text: String?) -> Reason? {
        guard let text else { return nil }
        return (try? JSONDecoder().decode(Reason.self, from: Data(text.utf8)))
            ?? Reason(ContentCallReason.noted, ["text": .text(text)])
    }
}

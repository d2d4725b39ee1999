import Foundation

/// What became of a draft that was to be stored.
package enum SavedDraft: Sendable, Hashable {
    /// As it is stored now.
    case saved(FormDraft)
    /// It has become something before.
    case finished(FormDraft)
    /// Another window has written this; nothing was stored.
    case elsewhere(FormDraft)
}

import Foundation

/// The outcome of storing a draft.
package enum SavedDraft: Sendable, Hashable {
    /// The stored draft.
    case saved(FormDraft)
    /// The draft was already finished.
    case finished(FormDraft)
    /// Another window has written this version; nothing was stored.
    case elsewhere(FormDraft)
}

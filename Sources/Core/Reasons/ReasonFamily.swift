/// A type of codes, by its name in keys of words.
package enum ReasonFamily: String, Sendable, CaseIterable {
    case audience, catalog, credential, endpoint, field, file, folder, json, liquid, message,
        openID, pattern
    case refusal, report, request, segment, userData

    /// Whether only programs and commands read its sentences, which are English. No page of the
    /// console says them.
    package var isForPrograms: Bool {
        switch self {
        case .endpoint, .file, .folder, .request, .userData: true
        case .audience, .catalog, .credential, .field, .json, .liquid, .message, .openID,
            .pattern, .refusal, .report, .segment:
            false
        }
    }
}

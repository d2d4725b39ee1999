/// A type of codes, by its name in keys of words.
package enum ReasonFamily: String, Sendable, CaseIterable {
    case audience, call, catalog, credential, endpoint, factExport, field, file, folder, identity,
        json, liquid, message,
        openID, pattern, rehearsal
    case refusal, report, request, row, segment, setting, store, userData

    /// Whether only programs and commands read its sentences, which are English. No page of the
    /// console says them.
    package var isForPrograms: Bool {
        switch self {
        case .endpoint, .factExport, .file, .folder, .identity, .rehearsal, .request, .setting,
            .store, .userData:
            true
        case .audience, .call, .catalog, .credential, .field, .json, .liquid, .message, .openID,
            .pattern, .refusal, .report, .row, .segment:
            false
        }
    }
}

import Campaigns
import Content
import JSON
import Liquid
import Model
import Reasons
import Reports
import Segments
import WebPages

extension ReasonFamily {
    /// Every code that the console may say; each has words in ``Localizations/init(console:)``.
    package var codes: [any ReasonCode] {
        switch self {
        case .audience: AudienceReason.allCases
        case .call: ContentCallReason.allCases
        case .catalog: CatalogReason.allCases
        case .credential: CredentialReason.allCases
        case .endpoint, .factExport, .file, .folder, .identity, .rehearsal, .request, .setting,
            .store, .userData:
            []
        case .field: FieldReason.allCases
        case .json: JSONReason.allCases
        case .liquid: LiquidReason.allCases
        case .message: MessageReason.allCases
        case .openID: OpenIDReason.allCases
        case .pattern: PatternReason.allCases
        case .refusal: RefusalReason.allCases
        case .report: ReportReason.allCases
        case .row: StoredRowReason.allCases
        case .segment: SegmentReason.allCases
        }
    }
}

extension Localizations {
    /// The console's words.
    package init(console files: WebFiles) throws {
        try self.init(
            files: files.folder("Console/Words"),
            codes: ReasonFamily.allCases.flatMap(\.codes)
        )
    }
}

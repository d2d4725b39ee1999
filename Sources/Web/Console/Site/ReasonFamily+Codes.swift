import Campaigns
import Liquid
import Model
import Reasons
import Segments
import WebPages

extension ReasonFamily {
    /// Every code of the family; each has words in ``Localizations/init(console:)``.
    package var codes: [any ReasonCode] {
        switch self {
        case .audience: AudienceReason.allCases
        case .credential: CredentialReason.allCases
        case .field: FieldReason.allCases
        case .liquid: LiquidReason.allCases
        case .message: MessageReason.allCases
        case .pattern: PatternReason.allCases
        case .refusal: RefusalReason.allCases
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

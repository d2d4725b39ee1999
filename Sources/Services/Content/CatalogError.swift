import Model
import NoroshiWire
import Reasons

/// Why something cannot be done with a catalog.
package struct CatalogError: ReasonedError, Sendable {
    package enum Kind: Sendable, Hashable {
        /// What was sent breaks a rule.
        case invalid
        /// What was named is not there.
        case unknown
        /// What was to be made is there already.
        case exists
    }

    /// A field at fault and what was sent in it.
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package var kind: Kind
    package var code: Code
    /// What is wrong and what to send instead.
    package var reason: Reason
    package var parameters: [Parameter]
    package var description: String { reason.description }

    package init(
        _ kind: Kind,
        _ code: Code,
        _ reason: CatalogReason,
        _ arguments: [String: Reason.Argument] = [:],
        at parameters: Parameter...
    ) {
        self.init(kind, code, Reason(reason, arguments), at: parameters)
    }

    package init(
        _ kind: Kind,
        _ code: Code,
        _ reason: Reason,
        at parameters: [Parameter]
    ) {
        self.kind = kind
        self.code = code
        self.reason = reason
        self.parameters = parameters
    }

    static func used(_ name: String, by holders: [ContentUses.Holder]) -> CatalogError {
        CatalogError(
            .invalid,
            .catalogInUse,
            ContentUses.refusal(holders).reason,
            at: [Parameter("catalog_name", .string(name))]
        )
    }

    package static func noCatalog(_ name: String) -> CatalogError {
        CatalogError(
            .unknown,
            .catalogNotFound,
            .noCatalog,
            ["name": .text(name)],
            at: Parameter("catalog_name", .string(name))
        )
    }
}

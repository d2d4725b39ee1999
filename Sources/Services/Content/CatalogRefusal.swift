import NoroshiWire

/// Why something cannot be done with a catalog.
package struct CatalogRefusal: Error, Sendable, CustomStringConvertible {
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
    /// For a person: what is wrong and what to send instead.
    package var description: String
    package var parameters: [Parameter]
    /// What messages are made from that keeps it from being deleted.
    package private(set) var holders: [ContentUses.Holder] = []

    package init(
        _ kind: Kind,
        _ code: Code,
        _ description: String,
        _ parameters: Parameter...
    ) {
        self.init(kind, code, description, parameters)
    }

    package init(
        _ kind: Kind,
        _ code: Code,
        _ description: String,
        _ parameters: [Parameter]
    ) {
        self.kind = kind
        self.code = code
        self.description = description
        self.parameters = parameters
    }

    static func used(_ name: String, by holders: [ContentUses.Holder]) -> CatalogRefusal {
        var refusal = CatalogRefusal(
            .invalid,
            .catalogInUse,
            ContentUses.sentence(holders),
            Parameter("catalog_name", .string(name))
        )
        refusal.holders = holders
        return refusal
    }

    package static func noCatalog(_ name: String) -> CatalogRefusal {
        CatalogRefusal(
            .unknown,
            .catalogNotFound,
            "there is no catalog named '\(name)'",
            Parameter("catalog_name", .string(name))
        )
    }
}

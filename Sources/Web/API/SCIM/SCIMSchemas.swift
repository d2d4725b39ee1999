import Accounts
import Model
import NoroshiWire

/// The schemas of SCIM requests and responses, and the supported features.
enum SCIMSchemas {
    private static let roleNames = Member.Role.allCases.map { JSONValue.string($0.rawValue) }

    private static let role = Schema(["type": "string", "enum": .array(roleNames)])

    private static let members: [String: Schema] = [
        "userName": Schema.text(3...MemberDirectory.emailLimit).required.described(
            "The e-mail address to sign in with; it stays."
        ),
        "name": .object([
            "givenName": Schema.text(0...MemberDirectory.nameLimit).orNull,
            "familyName": Schema.text(0...MemberDirectory.nameLimit).orNull,
            "formatted": Schema.text(0...MemberDirectory.nameLimit).orNull,
        ]),
        "displayName": Schema.text(0...MemberDirectory.nameLimit).orNull,
        "externalId": Schema.text(1...MemberDirectory.nameLimit).orNull,
        "active": .bool,
        "roles": Schema.list(of: .object(["value": role.required]), limit: 10),
    ]

    static let draft = Schema.object(
        members.merging([
            "schemas": Schema.list(of: .text),
            "password": Schema.text(MemberDirectory.passwordLength).described(
                "Without one, nobody knows the password until one is set."
            ),
        ]) { $1 }
    ).example([
        "schemas": [.string(SCIMUser.schema)], "userName": "ada@example.com",
        "name": ["givenName": "Ada", "familyName": "King"], "roles": [["value": "marketer"]],
    ])

    static let patch = Schema.object([
        "schemas": Schema.list(of: .text),
        "Operations": Schema.list(
            of: .object([
                "op": Schema.choice("add", "replace", "remove").required, "path": .text,
                "value": .any,
            ]),
            limit: 100
        ).notEmpty.required,
    ]).example([
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        "Operations": [["op": "replace", "path": "active", "value": false]],
    ])

    static let user = Schema.object(
        members.merging([
            "schemas": Schema.list(of: .text).required, "id": Schema.text.required,
            "active": Schema.bool.required, "emails": Schema.list(of: .map).required,
            "meta": Schema.map.required, "lastSignInAt": Schema.time,
        ]) { $1 }
    )

    static let list = Schema.object([
        "schemas": Schema.list(of: .text).required, "totalResults": Schema.count.required,
        "startIndex": Schema.count.required, "itemsPerPage": Schema.count.required,
        "Resources": Schema.list(of: user).required,
    ])

    /// A refusal (RFC 7644, section 3.12).
    static let problem = Schema.object([
        "schemas": Schema.list(of: .text).required, "status": Schema.text.required,
        "detail": Schema.text.required, "scimType": .text,
    ])

    // MARK: Answers

    static func page(
        _ resources: [JSONValue],
        total: Int? = nil,
        start: Int = 1
    ) -> JSONValue {
        [
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
            "totalResults": .integer(Int64(total ?? resources.count)),
            "startIndex": .integer(Int64(start)),
            "itemsPerPage": .integer(Int64(resources.count)), "Resources": .array(resources),
        ]
    }

    static let configuration: JSONValue = [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": ["supported": true],
        "bulk": ["supported": false, "maxOperations": 0, "maxPayloadSize": 0],
        "filter": ["supported": true, "maxResults": 200],
        "changePassword": ["supported": true], "sort": ["supported": false],
        "etag": ["supported": false],
        "authenticationSchemes": [
            [
                "type": "oauthbearertoken", "name": "API key",
                "description": "A key of the REST API with the permission 'scim', as a bearer.",
                "primary": true,
            ]
        ],
    ]

    static func resourceType(_ origin: String) -> JSONValue {
        [
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "id": "User",
            "name": "User", "endpoint": "/Users",
            "description": "People who use the console",
            "schema": .string(SCIMUser.schema), "schemaExtensions": [],
            "meta": [
                "resourceType": "ResourceType",
                "location": .string("\(origin)/scim/v2/ResourceTypes"),
            ],
        ]
    }

    static func userSchema(_ origin: String) -> JSONValue {
        [
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": .string(SCIMUser.schema), "name": "User",
            "description": "A person who uses the console",
            "attributes": [
                attribute("userName", isRequired: true, mutability: "immutable", unique: "server"),
                [
                    "name": "name", "type": "complex", "multiValued": false, "required": false,
                    "mutability": "readWrite", "returned": "default",
                    "subAttributes": [
                        attribute("givenName"), attribute("familyName"), attribute("formatted"),
                    ],
                ],
                attribute("displayName"), attribute("active", type: "boolean"),
                attribute("password", mutability: "writeOnly", returned: "never"),
                [
                    "name": "emails", "type": "complex", "multiValued": true, "required": false,
                    "mutability": "readOnly", "returned": "default",
                    "subAttributes": [
                        attribute("value"), attribute("type"),
                        attribute("primary", type: "boolean"),
                    ],
                ],
                [
                    "name": "roles", "type": "complex", "multiValued": true, "required": false,
                    "mutability": "readWrite", "returned": "default",
                    "subAttributes": [
                        attribute("value", values: roleNames),
                        attribute("primary", type: "boolean"),
                    ],
                ],
            ],
            "meta": [
                "resourceType": "Schema",
                "location": .string("\(origin)/scim/v2/Schemas/\(SCIMUser.schema)"),
            ],
        ]
    }

    private static func attribute(
        _ name: String,
        type: String = "string",
        isRequired: Bool = false,
        mutability: String = "readWrite",
        returned: String = "default",
        unique: String = "none",
        values: [JSONValue] = []
    ) -> JSONValue {
        var attribute: [String: JSONValue] = [
            "name": .string(name), "type": .string(type), "multiValued": false,
            "required": .bool(isRequired), "caseExact": false, "mutability": .string(mutability),
            "returned": .string(returned), "uniqueness": .string(unique),
        ]
        if !values.isEmpty { attribute["canonicalValues"] = .array(values) }
        return .object(attribute)
    }
}

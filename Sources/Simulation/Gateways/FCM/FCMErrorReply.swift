import NoroshiWire

/// An error as Google words it.
struct FCMErrorReply: Error {
    var code: Int
    var status: String
    var message: String
    /// FCM's own error code.
    var errorCode: String?
    /// The field that is wrong in the message.
    var field: String?

    static func badMessage(_ field: String, _ message: String) -> FCMErrorReply {
        FCMErrorReply(
            code: 400,
            status: "INVALID_ARGUMENT",
            message: message,
            errorCode: "INVALID_ARGUMENT",
            field: field
        )
    }

    static let unauthenticated = FCMErrorReply(
        code: 401,
        status: "UNAUTHENTICATED",
        message: "Request had invalid authentication credentials."
    )

    var response: GatewayResponse {
        var details: [JSONValue] = []
        if let errorCode {
            details.append([
                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                "errorCode": .string(errorCode),
            ])
        }
        if let field {
            let violation: JSONValue = [
                "field": .string(field), "description": .string(message),
            ]
            details.append([
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": .array([violation]),
            ])
        }
        let error: JSONValue = [
            "code": .integer(Int64(code)), "message": .string(message),
            "status": .string(status), "details": .array(details),
        ]
        return GatewayControl.json(["error": error], status: code)
    }

    /// Google's general statuses, which carry no code of FCM's.
    private static let general: Set = [
        "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RESOURCE_EXHAUSTED",
    ]

    /// The status that belongs to one of FCM's error codes, known or not.
    static func named(_ errorCode: String, status code: Int) -> FCMErrorReply {
        let statuses = [
            "UNREGISTERED": "NOT_FOUND", "SENDER_ID_MISMATCH": "PERMISSION_DENIED",
            "QUOTA_EXCEEDED": "RESOURCE_EXHAUSTED", "INTERNAL": "INTERNAL",
            "UNAVAILABLE": "UNAVAILABLE", "THIRD_PARTY_AUTH_ERROR": "UNAUTHENTICATED",
            "INVALID_ARGUMENT": "INVALID_ARGUMENT",
        ]
        let isGeneral = general.contains(errorCode)
        return FCMErrorReply(
            code: code,
            status: isGeneral ? errorCode : statuses[errorCode] ?? "UNKNOWN",
            message: "Simulated: \(errorCode)",
            errorCode: isGeneral ? nil : errorCode
        )
    }
}

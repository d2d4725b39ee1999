import Model
import Testing

@Suite("Addresses and numbers of people")
struct ContactRuleTests {
    @Test(
        "a phone number has five to fifteen digits, with a plus sign and separators or without",
        arguments: [
            "+81312345678", "+81 3-1234-5678", "(03) 1234.5678", "12345", "+123456789012345",
        ]
    )
    func numbers(text: String) {
        #expect(ContactRule.isPhoneNumber(text))
    }

    @Test(
        "anything else is none",
        arguments: ["", "abc", "+", "1234", "+1234567890123456", "12345x", "+81+31234", "１２３４５"]
    )
    func others(text: String) {
        #expect(!ContactRule.isPhoneNumber(text))
    }
}

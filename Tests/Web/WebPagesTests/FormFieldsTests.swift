import Testing
import WebPages

@Suite struct FormFieldsTests {
    @Test("a posted form is read with its order, repetitions, spaces and other scripts")
    func reading() {
        let form = FormFields(
            urlEncoded: "key=a&value=1+2&key=b&value=%E7%8B%BC%E7%85%99&empty=&bare&bad=%zz"
        )
        #expect(form.all("key") == ["a", "b"])
        #expect(form.all("value") == ["1 2", "狼煙"])
        #expect(form["empty"].isEmpty)
        #expect(form.has("bare"))
        #expect(form["bad"] == "%zz")
        #expect(!form.has("missing"))
    }

    @Test("what is written is read back the same")
    func roundTrip() {
        let pairs = [(name: "a b", value: "1&2=3%"), (name: "title", value: "狼煙 🔥\n+")]
        let form = FormFields(pairs)
        #expect(FormFields(urlEncoded: form.urlEncoded) == form)
    }

    @Test("a field is replaced, and an empty value takes it away")
    func setting() {
        let form = FormFields(urlEncoded: "page=2&text=fire")
        #expect(form.setting("page", to: "3").urlEncoded == "text=fire&page=3")
        #expect(form.setting("page", to: "").urlEncoded == "text=fire")
    }

    @Test("every end of a line is one line feed, in each value of a name")
    func lineEnds() {
        let form = FormFields(urlEncoded: "text=a%0D%0A%0D%0Ab&text=c%0Dd%0Ae&%0D=f").withLineFeeds
        #expect(form.all("text") == ["a\n\nb", "c\nd\ne"])
        #expect(form["\r"] == "f")
    }
}

import Testing
import WebPages

@Suite struct MultipartFormTests {
    private let type = "multipart/form-data; boundary=\"x-1\""

    @Test("fields and files are told apart, and bytes stay as they are")
    func parts() throws {
        var body = Array(
            "--x-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nred\r\n--x-1\r\n".utf8
        )
        body += Array(
            "content-disposition: form-data; name=\"f\"; filename=\"k.p12\"\r\n\r\n".utf8
        )
        body += [0, 13, 10, 45, 45, 255] + Array("\r\n--x-1--\r\n".utf8)
        let form = try #require(MultipartForm(body, contentType: type))
        #expect(form.fields["a"] == "red")
        #expect(form.files.first?.name == "k.p12")
        #expect(form.files.first?.bytes == [0, 13, 10, 45, 45, 255])
    }

    @Test("a body that is cut off or of another type gives nothing wrong")
    func broken() throws {
        let cut = Array("--x-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nre".utf8)
        #expect(try #require(MultipartForm(cut, contentType: type)).fields.has("a") == false)
        #expect(MultipartForm(cut, contentType: "application/json") == nil)
        #expect(MultipartForm([], contentType: "multipart/form-data") == nil)
    }
}

import Foundation
import Testing
import WebPages

@Suite struct WebFilesTests {
    /// `Sources/Web`, seen from this file.
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Web")
    private static let webSDK = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Clients/web")

    @Test("the binary holds every template, word list and asset as it is on disk")
    func complete() throws {
        var onDisk: Set<String> = []
        for owner in ["API", "Console", "Phones"] {
            // The description of the API is in English only.
            for kind in ["Templates", "Words", "Assets"] where (owner, kind) != ("API", "Words") {
                let folder = Self.folder.appendingPathComponent("\(owner)/\(kind)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                for name in names where !name.hasPrefix(".") {
                    onDisk.insert("\(owner)/\(kind)/\(name)")
                }
            }
        }
        let scripts = try FileManager.default.contentsOfDirectory(atPath: Self.webSDK.path)
        for name in scripts where name.hasSuffix(".js") { onDisk.insert("WebSDK/\(name)") }
        let embedded = Set(WebFiles.embedded.files.map(\.path))
        #expect(embedded == onDisk, "run Scripts/embed-web-files")
        for file in WebFiles.embedded.files {
            let place =
                file.path.hasPrefix("WebSDK/")
                ? Self.webSDK.appendingPathComponent(String(file.path.dropFirst(7)))
                : Self.folder.appendingPathComponent(file.path)
            let data = try Data(contentsOf: place)
            // Not the bytes themselves: a difference would print both files.
            let isSame = Array(data) == file.bytes
            #expect(isSame, "\(file.path)")
        }
    }

    @Test("another byte in an asset is another address; a template changes none")
    func version() {
        func version(_ css: String, _ template: String) -> String {
            WebFiles(files: [
                WebFile(path: "Console/Assets/a.css", bytes: Array(css.utf8)),
                WebFile(path: "Console/Templates/a.mustache", bytes: Array(template.utf8)),
            ]).version
        }
        #expect(version("a", "x") != version("b", "x"))
        #expect(version("a", "x") == version("a", "y"))
    }

    @Test("what browsers get of assets is small: all but the typeface stays below 200 KB")
    func size() {
        let all = WebFiles.embedded.files.filter { $0.path.contains("/Assets/") }
        // Its weights, of which a page takes those that it shows, and its licence.
        let typeface = all.filter { $0.path.contains("/inter") }
        #expect(typeface.map(\.delivered.count).reduce(0, +) < 50_000)
        let assets = all.filter { !$0.path.contains("/inter") }
        #expect(assets.map(\.delivered.count).reduce(0, +) < 200_000)
        let mark = assets.first { $0.path == "Console/Assets/favicon.svg" }
        #expect((mark?.bytes.count ?? .max) < 1024)
    }

    @Test(
        "scripts and style sheets are delivered without comments and indentation, and with every line of code"
    )
    func delivered() {
        func delivered(_ name: String, _ text: String) -> String {
            String(
                decoding: WebFile(path: "Console/Assets/\(name)", bytes: Array(text.utf8))
                    .delivered,
                as: UTF8.self
            )
        }
        let script = """
            // Why.
            /** What it is. */
            const a = "https://x"; // stays
              // Why.
              const text = `
              // a line of a text
            `;
            """
        #expect(
            delivered("a.js", script) == """
                const a = "https://x"; // stays
                const text = `
                  // a line of a text
                `;
                """
        )
        #expect(
            delivered("a.js", "const a = (b) => b === 'x = y' || b !== \"c => d\";\n  let e;")
                == "const a=(b)=>b==='x = y'||b!==\"c => d\";let e;"
        )
        #expect(
            delivered(
                "a.js",
                "  for (const [a, b] of { c: 'it\\' s' }) { a ? b + +a : b - 1; await (b); }"
            ) == "for(const[a,b]of{c:'it\\' s'}){a?b + +a:b - 1;await(b)}"
        )
        #expect(
            delivered("a.js", "a = `b, ${c ? d : e} 'f`, g = \"/ h, i\";\nj = k / l, `${`m, n`}`;")
                == "a=`b, ${c ? d : e} 'f`,g=\"/ h, i\";j = k / l, `${`m, n`}`;"
        )
        #expect(
            delivered(
                "a.css",
                "/* Why,\n  and how */\n.a {\n  top: 0; /* no */\n}\n\n.b::before { content: \"→\" }"
            )
                == ".a{top:0}.b::before{content:\"→\"}"
        )
        #expect(
            delivered("a.css", ".a { content: \" { \\\" } \"; quotes: ' }' }")
                == ".a{content:\" { \\\" } \";quotes:' }'}"
        )
        #expect(
            delivered(
                "a.css",
                "@media (max-width: 7px) and (x) {\n  .a > .b:is(.c, .d)\n  .e { margin: 0 1px; }\n}"
            ) == "@media (max-width:7px) and (x){.a>.b:is(.c,.d) .e{margin:0 1px}}"
        )
        let lines = """
            const a = [
              1, // one {
              2,
            ]
              .map((b) => {
                return b
              });

            b()
            c();
            """
        #expect(
            delivered("a.js", lines)
                == "const a=[1, // one {\n2,].map((b)=>{return b});b()\nc();"
        )
        #expect(
            delivered("a.js", "if (a) {\n  b(';');\n}\nc = ` {\n  d;\n}`;")
                == "if(a){b(';')}\nc = ` {\n  d;\n}`;"
        )
        #expect(delivered("a.js", "/* a */ b(); /* c */") == "/* a */ b(); /* c */")
        #expect(delivered("a.css", ".a { top: 0 } /* open") == ".a { top: 0 } /* open")
        #expect(delivered("a.svg", "<!-- // -->") == "<!-- // -->")
        for file in WebFiles.embedded.files where file.path.contains("/Assets/") {
            let lines = Set(file.text.split(separator: "\n").map { $0.drop { $0 == " " } })
            let text = String(decoding: file.delivered, as: UTF8.self).replacing(" ", with: "")
            guard file.fileExtension == "js" else { continue }
            for line in lines where !line.hasPrefix("//") && !line.hasPrefix("/**") {
                var code = line.replacing(" ", with: "").replacing(";}", with: "}")
                // The last semicolon of a block is left out.
                if code.last == ";" { code.removeLast() }
                #expect(
                    text.contains(code + ";") || text.contains(code + "}")
                        || text.contains(code + "\n") || text.hasSuffix(code)
                        || line.last != ";" && text.contains(code),
                    "\(file.path): \(line)"
                )
            }
        }
    }

    /// Without its semicolon, an empty statement at the end of a block would be none.
    @Test("no statement of a script is empty")
    func statements() throws {
        for file in WebFiles.embedded.files where file.fileExtension == "js" {
            for line in file.text.split(separator: "\n") {
                let code = line.drop { $0 == " " }
                #expect(code != ";" && !code.contains(" else;"), "\(file.path): \(line)")
                guard ["for (", "while (", "if ("].contains(where: { code.hasPrefix($0) }) else {
                    continue
                }
                var depth = 0
                let rest = code.drop { character in
                    if character == "(" { depth += 1 }
                    if character == ")" { depth -= 1 }
                    return character != ")" || depth > 0
                }
                #expect(rest != ");", "\(file.path): \(line)")
            }
        }
    }

    @Test("no asset or template fetches from another host")
    func ownHost() throws {
        let pattern = try Regex(#"(src|href|url\(|import|fetch\()[="'( ]+(https?:)?//"#)
        for file in WebFiles.embedded.files where !file.path.contains("/Words/") {
            #expect(file.text.firstMatch(of: pattern) == nil, "\(file.path)")
        }
    }
}

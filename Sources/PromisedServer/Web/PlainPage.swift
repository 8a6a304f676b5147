/// The documents of a server without the live map page.
enum PlainPage {
    /// A document with this content, in HTML.
    static func document(_ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>promised</title>
        </head>
        <body>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }
}

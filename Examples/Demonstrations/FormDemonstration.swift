import NetKit
import NetKitTesting

/// Sends an object as form fields, nested members and lists included.
struct FormDemonstration: Demonstration {
    let name = "form"
    let summary = "send an object as the fields of a form"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let purchase = Purchase(
            item: "tea & cake",
            count: 2,
            options: ["milk", "no sugar"],
            gift: Purchase.Gift(isWrapped: true, cardText: nil)
        )
        let shown = "\(purchase)".replacing("Examples.", with: "")
        context.asked("PurchaseRequest(purchase: \(shown))")
        let echo = try await context.endpoint.value(for: PurchaseRequest(purchase: purchase))
        let fields = (echo.form ?? [:]).mapValues(\.all)
        context.cameBack(
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                .joined(separator: "\n")
        )
        try context.expect(
            fields == [
                "item": ["tea & cake"], "count": ["2"], "options": ["milk", "no sugar"],
                "gift[is_wrapped]": ["true"],
            ],
            "the server received every field, and none for nil"
        )
        if let sent = context.server?.requests.last {
            try context.expect(
                sent.form.map(\.name)
                    == ["item", "count", "options", "options", "gift[is_wrapped]"],
                "the fields were sent in declaration order"
            )
        }
    }
}
